"""The named spaces: the values that registers and files can hold. To add a scheme, add its space to a file here, and
the space to `SPACES`.

| space | what it searches |
| --- | --- |
| `ib-cc` | the registers of InfiniBand congestion control: threshold, marking rate, packet size, timer, increase, lowest index, index per queue pair or service level, and the shape of the table |
| `llnl-grid` | the 2,808 settings of the public study of LLNL: 6 thresholds, 9 marking rates, 13 timers, 4 tables |
| `mlx5` | DCQCN as mlx5 adapters hold it, each parameter in its own unit |
| `wred` | the WRED profile of a SONiC switch: two thresholds and a probability |
| `sonic-buffers` | the lossless buffer profile of a SONiC switch: dynamic_th, xon_offset, and dynamic_th of lossy queues |
| `uec-nscc` | the sender's window of Ultra Ethernet: its target, its gains, quick adapt |
| `uec-rccc` | the receiver's credit of Ultra Ethernet: grants and their pace |
| `uec-oversubscribed` | how a receiver grants less where the fabric has less capacity than its hosts |
| `hpcc` | HPCC: its target, additive increases, stages, least rate, when it reacts, whether it paces |
| `power-tcp` | PowerTCP with telemetry: its gain, additive increase, target, least rate, what is current |

Every value is one that a register can hold, so that the deployed setting is the simulated one; no public file format
holds those of Ultra Ethernet, HPCC and PowerTCP yet. Ranges are those of the registers, limited to values that make a
difference.
"""  # noqa: E501 (a table)

from .ethernet import MLX5, SONIC_BUFFERS, WRED
from .infiniband import IB_CC, LLNL_GRID
from .telemetry import HPCC, POWER_TCP
from .ultra_ethernet import NSCC, OVERSUBSCRIBED, RCCC

ALL = (IB_CC, LLNL_GRID, MLX5, WRED, SONIC_BUFFERS, NSCC, RCCC, OVERSUBSCRIBED, HPCC, POWER_TCP)
SPACES = {space.name: space for space in ALL}
