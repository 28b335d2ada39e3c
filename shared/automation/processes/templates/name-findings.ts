import { own } from '../../../kernel/collections/own-members.ts'
import { didYouMean, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { nearestWord } from '../../../kernel/text/nearest-word.ts'
import { standardFieldsByName } from '../../../lists/query/service.ts'
import { memberUses } from '../../../scripts/service.ts'
import type { CompiledProcess, Finding, FlowCondition } from '../definition/compiled-process.ts'
import { parseExpression } from '../definition/expression.ts'
import { readId, readUserReference, type UserReference } from '../tasks/user-reference.ts'
import type { KnownNames, KnownTable } from './known-names.ts'

interface Compiled {
  readonly process: CompiledProcess
  readonly conditions: readonly FlowCondition[]
}

/** How many candidates that do not exist a warning lists. */
const maxListed = 10

/** Findings for assignees and members of the record that a process names and that do not exist, and for mistyped roles. */
export async function nameFindings(
  compiled: Compiled,
  table: KnownTable,
  known: Pick<KnownNames, 'roles' | 'missingUsers'>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const add = (elementId: string | null, message: string): void => {
    findings.push({ elementId, message })
  }
  for (const { elementId, source } of expressionsOf(compiled))
    for (const message of unknownMembers(source, table)) add(elementId, message)
  for (const { elementId, role, where } of rolesOf(compiled.process)) {
    const roles = await known.roles()
    // One that is like no other may be created later.
    if (!roles.includes(role) && nearestWord(role, roles) !== undefined)
      add(elementId, `${where}, ${role}: ${thereIsNo('role', role, roles)}`)
  }
  const users = usersOf(compiled.process)
  const missing = await known.missingUsers(
    users.flatMap(({ user, where }) => (where === 'wf:assignee' ? (user ?? []) : [])),
  )
  for (const { elementId, text, user, where } of users)
    if (user === undefined)
      add(
        elementId,
        `${where}="${text}" must be the id or the address of a user, or an expression such as \${record.created_by}.`,
      )
    else if (where === 'wf:assignee' && missing.has(user))
      add(elementId, `${where}="${text}": there is no user with this ${typeof user === 'number' ? 'id' : 'address'}.`)
  for (const [elementId, { candidateOrgUnits }] of Object.entries(compiled.process.tasks))
    for (const text of candidateOrgUnits.filter(isLiteral))
      if (readId(text) === undefined)
        add(
          elementId,
          `wf:candidateOrgUnits="${text}" must be the id of an org unit, or an expression that answers one.`,
        )
  return findings
}

/** Warnings for candidates that do not exist: the others can claim the task. */
export async function candidateWarnings(
  process: CompiledProcess,
  known: Pick<KnownNames, 'missingUsers'>,
): Promise<readonly Finding[]> {
  const candidates = usersOf(process).flatMap(({ elementId, user, where }) =>
    where === 'wf:candidateUsers' && user !== undefined ? [{ elementId, user }] : [],
  )
  const missing = await known.missingUsers(candidates.map(({ user }) => user))
  const gone = Map.groupBy(
    candidates.filter(({ user }) => missing.has(user)),
    ({ elementId }) => elementId,
  )
  return [...gone].map(([elementId, some]) => ({
    elementId,
    message: `wf:candidateUsers: there are no such users: ${listed(some.map(({ user }) => user))}.`,
  }))
}

const listed = (users: readonly UserReference[]): string =>
  users.length > maxListed
    ? `${users.slice(0, maxListed).join(', ')} and ${users.length - maxListed} more`
    : users.join(', ')

/** Names of elements are not checked when they are compiled: one with a `${` that is not closed is a literal here. */
function parsedText(text: string): ReturnType<typeof parseExpression> {
  try {
    return parseExpression(text)
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'literal', text }
    throw error
  }
}

const isLiteral = (text: string): boolean => parsedText(text).kind === 'literal'

function rolesOf({ tasks }: CompiledProcess) {
  return Object.entries(tasks).flatMap(([elementId, { candidateRoles, notifications }]) => [
    ...candidateRoles.filter(isLiteral).map((role) => ({ elementId, role, where: 'wf:candidateRoles' })),
    ...notifications
      .flatMap(({ to }) => (isLiteral(to) ? to.split(',') : []))
      .flatMap((to) => /^role:(.+)$/.exec(to.trim())?.[1] ?? [])
      .map((role) => ({ elementId, role, where: 'wf:notify' })),
  ])
}

/** The users that a process names. `user` is undefined for a text that is neither an id nor an address. */
function usersOf({ tasks }: CompiledProcess) {
  return Object.entries(tasks)
    .flatMap(([elementId, { assignee, candidateUsers }]) => [
      ...(assignee === undefined ? [] : [{ elementId, text: assignee, where: 'wf:assignee' }]),
      ...candidateUsers.map((text) => ({ elementId, text, where: 'wf:candidateUsers' })),
    ])
    .filter(({ text }) => isLiteral(text))
    .map((named) => ({ ...named, user: readUserReference(named.text) }))
}

/** Every expression of a process: conditions, and the texts that hold a `${...}`. Scripts have variables of their own. */
function expressionsOf({ process: { processId, wf, elements, tasks, work }, conditions }: Compiled): FlowCondition[] {
  const found: FlowCondition[] = [...conditions]
  if (wf.startCondition !== undefined) found.push({ elementId: processId, source: wf.startCondition })
  for (const [elementId, definition] of [...Object.entries(tasks), ...Object.entries(work)]) {
    if ('kind' in definition && definition.kind === 'script') continue
    // The name of a task is an expression too.
    for (const { key, text } of [
      ...textsIn(definition),
      ...textsIn(own(tasks, elementId) && own(elements, elementId)?.name),
    ]) {
      if (key === 'expression') found.push({ elementId, source: text })
      else if (text.includes('${')) {
        const parsed = parsedText(text)
        if (parsed.kind === 'expression') found.push({ elementId, source: parsed.source })
      }
    }
  }
  return found
}

function textsIn(value: unknown, key = ''): { readonly key: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, key))
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => textsIn(one, name))
    : []
}

/** Members of `record` and `old` that the table has no field for. */
function unknownMembers(source: string, { name: table, fieldsByName }: KnownTable): string[] {
  const unknown = memberUses(`return (${source}\n)`).filter(
    ({ variable, name }) =>
      (variable === 'record' || variable === 'old') &&
      !fieldsByName.has(name) &&
      !standardFieldsByName.has(name) &&
      !(name in Object.prototype),
  )
  const advice = (name: string): string => didYouMean(name, [...fieldsByName.keys(), ...standardFieldsByName.keys()])
  return [
    ...new Set(
      unknown.map(
        ({ variable, name }) => `${variable}.${name}: the table ${table} has no field ${name}.${advice(name)}`,
      ),
    ),
  ]
}
