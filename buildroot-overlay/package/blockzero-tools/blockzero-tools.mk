################################################################################
#
# blockzero-tools
#
################################################################################

# SPDX-License-Identifier: BSD-3-Clause
BLOCKZERO_TOOLS_VERSION = local
BLOCKZERO_TOOLS_SITE = $(BR2_EXTERNAL_BLOCKZERO_PATH)/../sw
BLOCKZERO_TOOLS_SITE_METHOD = local
BLOCKZERO_TOOLS_LICENSE = BSD-3-Clause

define BLOCKZERO_TOOLS_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/user $(TARGET_CONFIGURE_OPTS)
endef

define BLOCKZERO_TOOLS_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/user $(TARGET_CONFIGURE_OPTS) \
		DESTDIR="$(TARGET_DIR)" install
endef

$(eval $(generic-package))
