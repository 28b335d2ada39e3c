import type { Warning } from '../../../kernel/failures/warning.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { nearestWord } from '../../../kernel/text/nearest-word.ts'
import { rolesIn } from '../../field-types/read-field.ts'
import type { ErrorList } from '../error-list.ts'
import type { Field } from '../schema.ts'

/**
 * Refuses roles of transitions that do not exist and are like one that does, as a typo is, unless the transitions of the
 * same field named them before. Any other may be created later. `rolesOf` is called only when a role is new.
 */
export async function checkTransitionRoles(
  fields: readonly Field[],
  before: readonly Field[],
  rolesOf: () => Promise<readonly string[]>,
  list: ErrorList,
): Promise<void> {
  const added = fields.flatMap((field, index) => {
    const earlier = before.find(({ name }) => name === field.name)
    const named = new Set(earlier && rolesIn(earlier).map(({ role }) => role))
    return rolesIn(field).flatMap(({ role, at }) =>
      named.has(role) ? [] : [{ role, at: `table_fields.${index}.${at}` }],
    )
  })
  if (added.length === 0) return
  const known = await rolesOf()
  for (const { role, at } of added)
    if (!known.includes(role) && nearestWord(role, known) !== undefined)
      list.add(at, `The selected ${at} is invalid: ${thereIsNo('role', role, known)}`)
}

/** Warnings for roles of transitions that do not exist yet. */
export const transitionRoleWarnings = (fields: readonly Field[], roles: readonly string[]): Warning[] =>
  fields.flatMap((field, index) =>
    rolesIn(field).flatMap(({ role, at }): Warning[] =>
      roles.includes(role)
        ? []
        : [
            {
              path: `table_fields.${index}.${at}`,
              code: 'unknown_role',
              message: `The role ${role}: ${thereIsNo('role', role, roles)}`,
            },
          ],
    ),
  )
