import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { didYouMean, listed, shown } from '../../../kernel/text/did-you-mean.ts'
import { findAmong, noVersion } from '../decision.ts'
import { type DecisionDependencies, decisions } from '../decisions.ts'
import type { EvaluateAnswer } from '../schema.ts'
import { openEvaluation } from './evaluate-version.ts'

/** Evaluates a decision. Throws NotFound, Invalid for inputs that it does not have, and Fault when it has no result. */
export async function evaluateByRequest(
  services: DecisionDependencies,
  tenant: Tenant,
  reference: string,
  given: Readonly<Record<string, unknown>>,
  version?: number,
): Promise<EvaluateAnswer> {
  const one = findAmong(await decisions.allFresh(services, tenant), reference)
  const model = await services.openModel(tenant, one.id, version ?? one.version)
  if (model === undefined) throw noVersion(one, version ?? one.version)
  requireKnown(
    Object.keys(given),
    model.inputs.map(({ name }) => name),
  )
  const evaluate = await openEvaluation(services.clock.now, `The decision ${one.code}`)
  const { result, rules, required } = evaluate(model, given)
  return {
    result,
    rules: [...rules],
    ...(required.length > 0 && { required: required.map((each) => ({ ...each, rules: [...each.rules] })) }),
  }
}

/** Throws Invalid naming each input that the decision does not have. */
export function requireKnown(
  given: readonly string[],
  known: readonly string[],
  path = (name: string): string => name,
): void {
  const there = known.length === 0 ? ' It has no inputs.' : ` There are: ${listed(known)}.`
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Invalid(
      Object.fromEntries(
        unknown.map((name) => [
          path(name),
          [`The decision has no input ${shown(name)}.${didYouMean(name, known) || there}`],
        ]),
      ),
    )
}
