// Flows that are the same in several runs. The id of a flow is its place in the scenario of one run: another may list the same traffic in
// another order.

import type { Flows, Run } from "./data";

export class SameFlows {
  private readonly places: Map<string, number>[]; // of each run

  constructor(private readonly runs: Run[]) {
    this.places = runs.map(({ flows }) => new Map(Array.from(flows.id, (_, at) => [key(flows, at), at])));
  }

  /** The place of a flow of run `from` in the list of run `to`; -1 if it is not there. */
  place(from: number, at: number, to: number): number {
    return from === to ? at : (this.places[to]!.get(key(this.runs[from]!.flows, at)) ?? -1);
  }
}

/** What a flow is in any run: its ends, its class by name, and how many with these come before it. */
function key(flows: Flows, at: number): string {
  return `${flows.source[at]} ${flows.destination[at]} ${flows.rank[at]} ${flows.classes[flows.class[at]!]}`;
}
