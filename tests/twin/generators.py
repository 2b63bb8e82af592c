"""All generators of random scenarios that both the engine and its twin run, by the rules that they are for."""

import on_path  # noqa: F401
from random_applications import random_applications
from random_bereft import random_bereft
from random_beside import random_beside
from random_carried import random_carried
from random_checked import random_checked
from random_controlled import random_controlled
from random_dcqcn import random_dcqcn
from random_detours import random_detours, random_par
from random_efl import random_efl
from random_faults import random_faults
from random_finite import random_finite
from random_flow_queues import random_flow_queues
from random_go_back import random_go_back
from random_hearing import random_hearing
from random_irn import random_irn
from random_isolation import random_isolation
from random_lanes import random_lanes
from random_lists import random_lists
from random_losing import random_losing
from random_making import random_making
from random_messages import random_messages
from random_mixed import random_mixed
from random_nscc import random_nscc
from random_paths import random_paths
from random_pauses import random_pauses
from random_presets import random_presets
from random_queues import random_queues
from random_rates import random_rates
from random_rccc import random_rccc
from random_reactions import random_reactions
from random_regions import random_regions
from random_reno import random_reno
from random_scenarios import random_scenario
from random_staging import random_staging
from random_telemetry import random_telemetry
from random_ternary import random_ternary
from random_towards import random_towards
from random_trimming import random_trimming
from random_ways import random_ways

GENERATORS = {
    "scenarios": random_scenario,
    "applications": random_applications,
    "beside": random_beside,
    "bereft": random_bereft,
    "carried": random_carried,
    "checked": random_checked,
    "controlled": random_controlled,
    "dcqcn": random_dcqcn,
    "detours": random_detours,
    "efl": random_efl,
    "faults": random_faults,
    "finite": random_finite,
    "flow queues": random_flow_queues,
    "go-back-n": random_go_back,
    "hearing": random_hearing,
    "irn": random_irn,
    "isolation": random_isolation,
    "lanes": random_lanes,
    "lists": random_lists,
    "losing": random_losing,
    "making": random_making,
    "messages": random_messages,
    "mixed": random_mixed,
    "nscc": random_nscc,
    "par": random_par,
    "paths": random_paths,
    "pauses": random_pauses,
    "presets": random_presets,
    "queues": random_queues,
    "rates": random_rates,
    "rccc": random_rccc,
    "reactions": random_reactions,
    "regions": random_regions,
    "new-reno": random_reno,
    "staging": random_staging,
    "telemetry": random_telemetry,
    "ternary": random_ternary,
    "towards": random_towards,
    "trimming": random_trimming,
    "ways": random_ways,
}
