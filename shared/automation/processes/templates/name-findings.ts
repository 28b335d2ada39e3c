import { own } from '../../../kernel/collections/own-members.ts'
import { didYouMean, nearestWord, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../../lists/query/grammar/field.ts'
import { channelTypes } from '../../../messages/channels/channel-types.ts'
import { missingVariables } from '../../../messages/notification-templates/placeholders.ts'
import { memberUses } from '../../../scripts/source/script-warnings.ts'
import type { NamedByProcess } from '../../../tables/tables/administration/find-uses.ts'
import { parseExpression } from '../../bpmn/expressions/expression.ts'
import type { CompiledProcess, Finding, FlowCondition } from '../../bpmn/shapes/compiled-process.ts'
import type { FindingCode } from '../../bpmn/shapes/finding-codes.ts'
import { readId, readUserReference, type UserReference } from '../people/task-people.ts'
import type { KnownNames, KnownTable, ProcessWarning } from './known-names.ts'

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
  known: Omit<KnownNames, 'findTable'>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const add = (elementId: string | null, message: string, code?: FindingCode): void => {
    findings.push({ elementId, code, message })
  }
  for (const { elementId, source } of expressionsOf(compiled))
    for (const message of unknownMembers(source, table)) add(elementId, message, 'unknown_field')
  for (const { elementId, code, message, isTypo } of await unknownNames(compiled.process, known))
    if (isTypo) add(elementId, message, code)
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
      add(
        elementId,
        `${where}="${text}": there is no user with this ${typeof user === 'number' ? 'id' : 'address'}.`,
        'unknown_user',
      )
  for (const [elementId, { candidateOrgUnits }] of Object.entries(compiled.process.tasks))
    for (const text of candidateOrgUnits.filter(isLiteral))
      if (readId(text) === undefined)
        add(
          elementId,
          `wf:candidateOrgUnits="${text}" must be the id of an org unit, or an expression that answers one.`,
        )
  return findings
}

/** What a name of a process may refer to, and the word for it. */
const kinds = {
  role: { code: 'unknown_role', called: 'role' },
  template: { code: 'unknown_template', called: 'notification template' },
  channel: { code: 'unknown_channel', called: 'channel' },
  decision: { code: 'unknown_decision', called: 'decision' },
} as const

interface UnknownName extends ProcessWarning {
  readonly code: (typeof kinds)[keyof typeof kinds]['code']
  readonly isTypo: boolean
}

/** The roles, templates, channels and decisions that a process names and that do not exist. `isTypo`: there is one much like it. */
async function unknownNames(
  process: CompiledProcess,
  known: Omit<KnownNames, 'findTable'>,
): Promise<readonly UnknownName[]> {
  const named = [
    ...rolesOf(process).map(({ role: name, ...at }) => ({ kind: 'role' as const, name, ...at })),
    ...decisionsOf(process).map((one) => ({ kind: 'decision' as const, where: 'wf:decision', ...one })),
    ...notificationsOf(process).flatMap(({ elementId, notification: { template, channel } }) => [
      ...(template !== undefined && isLiteral(template)
        ? [{ kind: 'template' as const, name: template, elementId, where: 'wf:notify template' }]
        : []),
      ...(isLiteral(channel) && !ownChannels.has(channel)
        ? [{ kind: 'channel' as const, name: channel, elementId, where: 'wf:notify channel' }]
        : []),
    ]),
  ]
  const words = new Map<keyof typeof kinds, readonly string[]>()
  const wordsFor = async (kind: keyof typeof kinds): Promise<readonly string[]> => {
    const found = words.get(kind) ?? [
      ...(kind === 'template' ? (await known.templates()).keys() : await known[`${kind}s`]()),
    ]
    words.set(kind, found)
    return found
  }
  const unknown: UnknownName[] = []
  for (const { kind, name, elementId, where } of named) {
    const all = await wordsFor(kind)
    if (all.includes(name)) continue
    const { code, called } = kinds[kind]
    // One that is like no other may be created later.
    const isTypo = nearestWord(name, all) !== undefined
    unknown.push({ elementId, code, message: `${where}, ${name}: ${thereIsNo(called, name, all)}`, isTypo })
  }
  return unknown
}

/** Warnings for what a process names that does not exist yet, and for values that its templates do not get. */
export async function nameWarnings(
  process: CompiledProcess,
  { fieldsByName }: KnownTable,
  known: Omit<KnownNames, 'findTable'>,
): Promise<readonly ProcessWarning[]> {
  const unknown = (await unknownNames(process, known)).filter(({ isTypo }) => !isTypo)
  const mails = notificationsOf(process).filter(({ notification: { template } }) => template !== undefined)
  const templates: ReadonlyMap<string, readonly string[]> = mails.length > 0 ? await known.templates() : new Map()
  const given = { names: ['variables', 'task'], fields: [...fieldsByName.keys()] }
  return [
    ...unknown.map(({ elementId, code, message }) => ({ elementId, code, message })),
    ...mails.flatMap(({ elementId, notification: { template = '' } }) =>
      missingVariables(template, templates.get(template) ?? [], given).map((warning) => ({ elementId, ...warning })),
    ),
  ]
}

/** The channels of a `wf:notify` that are no configured one: the bell, and the default channel of a type. */
const ownChannels: ReadonlySet<string> = new Set(['push', ...channelTypes])

/** What a process names that others may delete. */
export function namedBy(process: CompiledProcess): NamedByProcess {
  const notifications = notificationsOf(process).map(({ notification }) => notification)
  const distinct = (names: readonly string[]): string[] => [...new Set(names)]
  return {
    tables: distinct(Object.values(process.work).flatMap((one) => (one.kind === 'createRecord' ? [one.table] : []))),
    roles: distinct(rolesOf(process).map(({ role }) => role)),
    templates: distinct(notifications.flatMap(({ template }) => template ?? [])),
    processes: distinct(Object.values(process.calls ?? {}).flatMap(({ code }) => code ?? [])),
    decisions: distinct(decisionsOf(process).map(({ name }) => name)),
    channels: distinct(notifications.map(({ channel }) => channel).filter((channel) => !ownChannels.has(channel))),
  }
}

/** The decisions that a process names by their codes. */
const decisionsOf = ({ work }: CompiledProcess) =>
  Object.entries(work).flatMap(([elementId, one]) =>
    one.kind === 'decision' && isLiteral(one.decision) ? [{ elementId, name: one.decision }] : [],
  )

/** Every `wf:notify` of a process. */
const notificationsOf = ({ tasks, work }: CompiledProcess) => [
  ...Object.entries(tasks).flatMap(([elementId, { notifications }]) =>
    notifications.map((notification) => ({ elementId, notification })),
  ),
  ...Object.entries(work).flatMap(([elementId, definition]) =>
    definition.kind === 'notify' ? definition.notifications.map((notification) => ({ elementId, notification })) : [],
  ),
]

/** Warnings for candidates that do not exist: the others can claim the task. */
export async function candidateWarnings(
  process: CompiledProcess,
  known: Pick<KnownNames, 'missingUsers'>,
): Promise<readonly ProcessWarning[]> {
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
    code: 'unknown_user',
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

function rolesOf(process: CompiledProcess) {
  return [
    ...Object.entries(process.tasks).flatMap(([elementId, { candidateRoles }]) =>
      candidateRoles.filter(isLiteral).map((role) => ({ elementId, role, where: 'wf:candidateRoles' })),
    ),
    ...notificationsOf(process).flatMap(({ elementId, notification: { to } }) =>
      (isLiteral(to) ? to.split(',') : [])
        .flatMap((one) => /^role:(.+)$/.exec(one.trim())?.[1] ?? [])
        .map((role) => ({ elementId, role, where: 'wf:notify' })),
    ),
  ]
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
export function expressionsOf({
  process: { processId, wf, elements, tasks, work },
  conditions,
}: Compiled): FlowCondition[] {
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
