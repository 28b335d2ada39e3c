import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { standardFieldsByName } from '../../../lists/query/grammar/field.ts'
import type { DecisionOutcome } from '../rows/decision-outcome.ts'
import type { DecisionShown } from '../schema.ts'

/**
 * What a viewer sees of an evaluation. Somebody whom field rules limit sees inputs that are fields they may read; other
 * inputs may come from fields that they may not, unless it is known that they do not (`isKnown`). Where inputs are left out, what was answered is as well, because it tells of them.
 */
export function showDecision(viewer: Viewer, model: string, outcome: DecisionOutcome, isKnown = false): DecisionShown {
  const { id, code, version, inputs, rules, matched, result, required, is_shortened } = outcome
  const readable = permittedFields(viewer, model, 'read')
  const shown = inputs.filter(
    ({ name, from }) =>
      readable === undefined || isKnown || (from === 'field' && (readable.has(name) || standardFieldsByName.has(name))),
  )
  const isHidden = shown.length < inputs.length || (readable !== undefined && is_shortened === true)
  return {
    id,
    code,
    version,
    inputs: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    rules: isHidden ? [] : [...rules],
    matched: isHidden ? null : matched,
    result: isHidden ? null : result,
    ...(required && !isHidden && { required: required.map((one) => ({ id: one.id, rules: [...one.rules] })) }),
    ...(is_shortened && { is_shortened }),
    ...(isHidden && { is_hidden: true as const }),
  }
}
