import { maxMappingBytes } from '../../../kernel/limits/incoming.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { pathProblem } from '../match/message-path.ts'
import { isLiteral } from '../prepare/map-fields.ts'
import type { ProcessMessage } from '../schema.ts'
import { recordFieldOf, standardMembers } from './record-path.ts'

interface Checked {
  readonly message: ProcessMessage
  readonly table: Table | undefined
  readonly isAutomatic: boolean
  /** The rule has a mapping or a script. */
  readonly hasOwnData: boolean
}

/** Checks what a rule tells a process: where its key and variables come from, and that there is a record for them. */
export function checkProcessMessage(
  {
    message: { correlation_key: key, variables = {}, is_instead_of_record: isAlone = false },
    table,
    isAutomatic,
    hasOwnData,
  }: Checked,
  list: ErrorList,
  path: string,
): void {
  const checkSource = (source: string, at: string): void => {
    const problem = isLiteral(source) ? undefined : sourceProblem(source, table, isAlone)
    if (problem !== undefined) list.add(at, problem)
  }
  if (isAlone && !isAutomatic)
    list.add(
      `${path}.is_instead_of_record`,
      'Only an automatic rule may do without a record: a button answers the one that it made.',
    )
  if (isAlone && hasOwnData)
    list.add(
      `${path}.is_instead_of_record`,
      'The rule makes no record, so it can have neither a field_mapping nor a script. Remove them, or is_instead_of_record.',
    )
  if (isAlone && key === undefined)
    list.add(
      `${path}.correlation_key`,
      'The rule makes no record whose id could be the key: say where the key comes from.',
    )
  if (Buffer.byteLength(JSON.stringify(variables)) > maxMappingBytes)
    list.add(`${path}.variables`, 'The variables may not be larger than 100 KB.')
  if (key) checkSource(key, `${path}.correlation_key`)
  for (const [name, source] of Object.entries(variables)) {
    if (!/^[A-Za-z_$][\w$]{0,62}$/.test(name) || Object.hasOwn(Object.prototype, name))
      list.add(`${path}.variables`, `${JSON.stringify(name)} is no name for a variable.`)
    checkSource(source, `${path}.variables.${name}`)
  }
}

function sourceProblem(source: string, table: Table | undefined, isAlone: boolean): string | undefined {
  const field = recordFieldOf(source)
  if (field === undefined) return pathProblem(source)
  if (isAlone) return `The rule makes no record, so there is no ${source}.`
  if (table === undefined || table.fieldsByName.has(field) || standardMembers.includes(field)) return undefined
  return `There is no field ${field} of ${table.name}.${didYouMean(field, [...table.fieldsByName.keys(), ...standardMembers])}`
}
