/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory stays right when the engine fails in every way it can, and when its driver goes. */
#ifndef TROUBLE_H
#define TROUBLE_H

/* Each fault that the engine can inject, then the driver unbound while it is at work, and bound again. */
void make_trouble(void);

#endif
