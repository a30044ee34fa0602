// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.tilelink.{BlockZeroParams, WithBlockZero}
import freechips.rocketchip.subsystem.SBUS
import org.chipsalliance.cde.config.Config

/** One Rocket core; the engine on the front bus. */
class RocketBlockZeroConfig extends Config(new WithBlockZero ++ new chipyard.RocketConfig)

/** Four Rocket cores. */
class QuadRocketBlockZeroConfig extends Config(new WithBlockZero ++ new chipyard.QuadRocketConfig)

/** One small BOOM core. */
class BoomBlockZeroConfig extends Config(new WithBlockZero ++ new chipyard.SmallBoomV3Config)

/** The engine on a system bus of 16 bytes a beat. */
class Rocket128BlockZeroConfig extends Config(
  new WithBlockZero(BlockZeroParams(dmaWhere = SBUS)) ++
  new chipyard.config.WithSystemBusWidth(128) ++
  new chipyard.RocketConfig)

/** The engine on a system bus of 32 bytes a beat. */
class Rocket256BlockZeroConfig extends Config(
  new WithBlockZero(BlockZeroParams(dmaWhere = SBUS)) ++
  new chipyard.config.WithSystemBusWidth(256) ++
  new chipyard.RocketConfig)

/** No L2 cache: a broadcast hub keeps the L1s coherent. */
class BroadcastRocketBlockZeroConfig extends Config(
  new WithBlockZero ++ new chipyard.BroadcastCoherenceRocketConfig)
