import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { withWarnings } from '../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../platform/jobs/service.ts'
import { type DecisionDependencies, decisions, doubtsOf } from './decisions.ts'
import { evaluateByRequest } from './evaluate/evaluate-by-request.ts'
import type { ReplayDependencies } from './replay/open-replay.ts'
import { replayDecision } from './replay/replay-job.ts'
import type { DecisionAnswer, DecisionChange, DecisionInput, ReplayBody } from './schema.ts'

/** What the API offers of decisions. */
export function createDecisions(services: ReplayDependencies & { readonly jobs: Pick<Jobs, 'start'> }) {
  const warned = async (answer: DecisionAnswer) =>
    withWarnings(answer, await doubtsOf((services satisfies DecisionDependencies).compile, answer.code, answer.dmn_xml))
  return {
    list: (caller: Caller, query: ListQuery) => decisions.listHeads(services, caller, query),
    get: (caller: Caller, code: string, version?: number) => decisions.read(services, caller, code, version),
    create: async (caller: Caller, input: DecisionInput) => warned(await decisions.add(services, caller, input)),
    change: async (caller: Caller, code: string, input: DecisionChange, ifMatch?: VersionMatch) =>
      warned(await decisions.alter(services, caller, code, input, ifMatch)),
    remove: (caller: Caller, code: string, ifMatch?: VersionMatch) => decisions.drop(services, caller, code, ifMatch),
    evaluate: (caller: Caller, code: string, given: Readonly<Record<string, unknown>>, version?: number) =>
      evaluateByRequest(services, caller.tenant, code, given, version),
    replay: (caller: Caller, code: string, body: ReplayBody) => replayDecision(services, caller, code, body),
  }
}
