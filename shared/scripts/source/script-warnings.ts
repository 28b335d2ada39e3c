import type { Warning } from '../../kernel/failures/warning.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { positionOf } from './script-syntax-error.ts'
import { isNode, type SyntaxNode, tryToParse, visit } from './syntax-tree.ts'

/** What is valid in a script and yet cannot be meant. */
export type ScriptWarning = Required<Pick<Warning, 'line' | 'column' | 'code' | 'message'>>

const maxWarnings = 20
/** The members of the variables that are the same for every table. */
const membersOf: Readonly<Record<string, readonly string[]>> = {
  $record: ['id', 'version', 'created_by', 'updated_by', 'created_at', 'updated_at'],
  $user: ['id', 'name', 'email', 'roles'],
  $context: ['kind', 'model', 'id', 'depth', 'now', 'run_id', 'source'],
}

/**
 * Warns of members of `$data` and `$old` that the table has no field for, and of unknown members of `$record`, `$user` and
 * `$context`. A script that cannot be parsed has no warnings. `table`: undefined when its fields are not known.
 */
export function scriptWarnings(
  script: string,
  table: { readonly name: string; readonly fields: Iterable<string> } | undefined,
): ScriptWarning[] {
  const known = new Map(Object.entries(membersOf).map(([variable, names]) => [variable, new Set(names)]))
  const fields = table && new Set(['id', ...table.fields])
  for (const variable of fields ? ['$data', '$old'] : []) known.set(variable, fields as Set<string>)

  const warnings = new Map<string, ScriptWarning>()
  for (const { variable, name, offset } of memberUses(script)) {
    const names = known.get(variable)
    const use = `${variable}.${name}`
    if (!names || names.has(name) || name in Object.prototype || warnings.has(use)) continue
    const problem =
      variable === '$data' || variable === '$old'
        ? `${use}: the table ${table?.name} has no field ${name}.`
        : `${use}: ${variable} has no member ${name}.`
    const { line, column } = positionOf(script, offset)
    warnings.set(use, { line, column, code: 'unknown_field', message: problem + didYouMean(name, names) })
    if (warnings.size === maxWarnings) break
  }
  return [...warnings.values()]
}

/** A member of a variable that a script names. */
export interface MemberUse {
  readonly variable: string
  readonly name: string
  readonly offset: number
}

/** Every `variable.name` and `variable['name']`, in the order of the text. */
export function memberUses(script: string): MemberUse[] {
  const uses: MemberUse[] = []
  visit(tryToParse(script), (node) => {
    if (node.type === 'MemberExpression') addUse(node, uses)
  })
  return uses.sort((one, other) => one.offset - other.offset)
}

function addUse({ object, property, computed }: SyntaxNode, uses: MemberUse[]): void {
  if (!isNode(object) || !isNode(property) || object.type !== 'Identifier') return
  const name = computed === true ? property.value : property.name
  if (typeof name === 'string') uses.push({ variable: String(object.name), name, offset: property.start })
}

/** A call of `$api.sendEmail` whose template is written out. */
export interface MailCall {
  readonly template: string
  /** The names of its parameters; undefined when they are not written out. */
  readonly params: readonly string[] | undefined
  readonly line: number
  readonly column: number
}

/** Every `$api.sendEmail('<code>', ...)` of a script, in the order of the text. */
export function mailCalls(script: string): MailCall[] {
  const calls: (Pick<MailCall, 'template' | 'params'> & { readonly offset: number })[] = []
  visit(tryToParse(script), (node) => {
    const { type, callee, arguments: given } = node
    if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(given)) return
    const { object, property } = callee
    if (!isNode(object) || object.name !== '$api' || !isNode(property) || property.name !== 'sendEmail') return
    const [code, , params] = given as readonly unknown[]
    if (isNode(code) && typeof code.value === 'string')
      calls.push({ template: code.value, params: namesOf(params), offset: code.start })
  })
  return calls
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, ...call }) => ({ ...call, ...positionOf(script, offset) }))
}

/** The names of an object that is written out; undefined when it holds others as well. */
function namesOf(params: unknown): string[] | undefined {
  if (params === undefined || (isNode(params) && params.type === 'Literal' && params.value === null)) return []
  if (!isNode(params) || params.type !== 'ObjectExpression') return undefined
  const names = (params.properties as readonly SyntaxNode[]).map(({ type, computed, key }) =>
    type === 'Property' && computed !== true && isNode(key) ? String(key.name ?? key.value) : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}
