# SPDX-License-Identifier: BSD-3-Clause
include $(sort $(wildcard $(BR2_EXTERNAL_BLOCKZERO_PATH)/package/*/*.mk))

# Buildroot gives OpenSBI its payload before the kernel has its initramfs.
ifeq ($(BR2_TARGET_OPENSBI_LINUX_PAYLOAD)$(BR2_TARGET_ROOTFS_INITRAMFS),yy)
$(OPENSBI_DIR)/.stamp_initramfs: linux-rebuild-with-initramfs
	$(OPENSBI_BUILD_CMDS)
	$(OPENSBI_INSTALL_IMAGES_CMDS)

target-post-image: $(OPENSBI_DIR)/.stamp_initramfs
endif
