// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.tilelink.{BlockZeroParams, WithBlockZero, WithBlocksInFlight}
import freechips.rocketchip.subsystem.{SBUS, WithInclusiveCache, WithNBanks}
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

/** As Rocket128, with four times the MSHRs in the L2: of more write-backs at once. */
class Rocket128DeepL2BlockZeroConfig extends Config(
  new WithInclusiveCache(outerLatencyCycles = 160) ++
  new Rocket128BlockZeroConfig)

/** As Rocket128, with an L2 of four banks. */
class Rocket128BankedL2BlockZeroConfig extends Config(
  new WithBlockZero(BlockZeroParams(dmaWhere = SBUS)) ++
  new WithInclusiveCache ++
  new WithNBanks(4) ++
  new chipyard.config.WithSystemBusWidth(128) ++
  new chipyard.RocketConfig)

/** No L2 cache, so none that zeroing could fill: a broadcast hub keeps the L1s coherent. */
class BroadcastRocketBlockZeroConfig extends Config(
  new WithBlockZero ++ new chipyard.BroadcastCoherenceRocketConfig)

/** The core has 1000 MHz, the system bus and the engine on it 500 MHz, the front and peripheral buses 100 MHz. */
class MulticlockRocketBlockZeroConfig extends Config(
  new WithBlockZero(BlockZeroParams(dmaWhere = SBUS)) ++
  new chipyard.config.WithFrontBusFrequency(100) ++
  new chipyard.config.WithPeripheryBusFrequency(100) ++
  new chipyard.MulticlockRocketConfig)

/** As Multiclock, but the engine has a clock of its own, of 250 MHz. */
class OwnClockRocketBlockZeroConfig extends Config(
  new WithBlockZero(BlockZeroParams(dmaWhere = SBUS, clockMHz = Some(250))) ++
  new MulticlockRocketBlockZeroConfig)

/** One Rocket core and a console so fast that Linux does not wait for it. */
class LinuxRocketBlockZeroConfig extends Config(
  new chipyard.config.WithUARTInitBaudRate(BigInt(3686400)) ++ new RocketBlockZeroConfig)

/** Four Rocket cores and that console. */
class LinuxQuadRocketBlockZeroConfig extends Config(
  new chipyard.config.WithUARTInitBaudRate(BigInt(3686400)) ++ new QuadRocketBlockZeroConfig)

/** As LinuxRocket, with a data cache that goes on after a miss, until four are under way. */
class LinuxNonblockingRocketBlockZeroConfig extends Config(
  new freechips.rocketchip.rocket.WithL1DCacheNonblocking(4) ++ new LinuxRocketBlockZeroConfig)

/** For sweeps, before another configuration: CONFIG=blockzero.With4BlocksInFlight_blockzero.RocketBlockZeroConfig. */
class With1BlockInFlight extends WithBlocksInFlight(1)
class With4BlocksInFlight extends WithBlocksInFlight(4)
class With64BlocksInFlight extends WithBlocksInFlight(64)
class With2MSHRs extends freechips.rocketchip.rocket.WithL1DCacheNonblocking(2)
class With4MSHRs extends freechips.rocketchip.rocket.WithL1DCacheNonblocking(4)
class With8MSHRs extends freechips.rocketchip.rocket.WithL1DCacheNonblocking(8)
