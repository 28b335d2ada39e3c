import { splitList } from '../../expressions/expression.ts'
import { type BpmnElement, typeOf } from '../../shapes/bpmn-element.ts'
import { isDuration, isMoment } from '../../shapes/time-values.ts'
import type { OpenStart } from './adopt-start.ts'
import { translateText } from './translate-text.ts'
import { quoted, type VendorHost, type VendorWord, wordOf } from './vendor-words.ts'

/** Reads who does a task, until when, and in what form, in the words of other engines. Those of the service win. */
export function adoptPeople(host: VendorHost, start: OpenStart): void {
  const definitions = (name: string) => host.takeElements('zeebe', name)
  const said = (name: string, element: string): VendorWord | undefined =>
    host.take(name) ?? definitions(element).flatMap((one) => wordOf(one, name) ?? [])[0]
  const [assigned] = definitions('assignmentDefinition')
  const [scheduled] = definitions('taskSchedule')
  const [form] = definitions('formDefinition')
  const ofAssignment = (name: string): VendorWord | undefined => host.take(name) ?? (assigned && wordOf(assigned, name))
  const assignee = ofAssignment('assignee')
  if (assignee?.text === '$INITIATOR') {
    host.node.assignee ??= '${initiator}'
    if (!start.initiators.includes('initiator')) start.initiators.push('initiator')
  } else adoptUsers(host, 'assignee', assignee)
  adoptUsers(host, 'candidateUsers', ofAssignment('candidateUsers'))
  adoptText(host, 'candidateRoles', ofAssignment('candidateGroups'))
  adoptDueDate(host, host.take('dueDate') ?? (scheduled && wordOf(scheduled, 'dueDate')))
  const followUp = host.take('followUpDate') ?? (scheduled && wordOf(scheduled, 'followUpDate'))
  if (followUp !== undefined) host.warn(`has ${quoted(followUp)}, which means nothing here; use wf:dueDate`)
  adoptText(host, 'priority', said('priority', 'priorityDefinition'))
  const key =
    host.take('formKey') ?? host.take('formRef') ?? (form && (wordOf(form, 'formKey') ?? wordOf(form, 'formId')))
  if (key !== undefined && key.text !== '') host.node.formKey ??= key.text
  definitions('userTask')
}

/** Whether a text names a user here, or says by an expression who it is. */
export const namesUser = (text: string): boolean =>
  text.includes('${') || /^(?:user:)?[1-9]\d{0,14}$|^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text)

function adoptUsers(host: VendorHost, attribute: 'assignee' | 'candidateUsers', said: VendorWord | undefined): void {
  if (said === undefined || said.text === '' || host.node[attribute] !== undefined) return
  const text = translateText(said.text)
  if (text === undefined) return untranslated(host, said, attribute)
  const [named, unknown] = [splitList(text).filter(namesUser), splitList(text).filter((one) => !namesUser(one))]
  if (named.length > 0) host.node[attribute] = named.join(',')
  if (unknown.length > 0)
    host.warn(
      `has ${quoted({ ...said, text: unknown.join(',') })}, which names no user here: write ids or addresses of users as wf:${attribute}`,
    )
}

function adoptText(host: VendorHost, attribute: 'candidateRoles' | 'priority', said: VendorWord | undefined): void {
  if (said === undefined || said.text === '' || host.node[attribute] !== undefined) return
  const text = translateText(said.text)
  if (text === undefined) untranslated(host, said, attribute)
  else host.node[attribute] = text
}

function adoptDueDate(host: VendorHost, said: VendorWord | undefined): void {
  if (said === undefined || said.text === '' || host.node.dueDate !== undefined) return
  const text = translateText(said.text)
  if (text !== undefined && (text.includes('${') || isDuration(text) || isMoment(text))) host.node.dueDate = text
  else untranslated(host, said, 'dueDate')
}

function untranslated(host: VendorHost, said: VendorWord, attribute: string): void {
  host.warn(`has ${quoted(said)}, which the service cannot evaluate; use wf:${attribute}`)
}

/**
 * Reads the resource roles of BPMN: `humanPerformer` is the assignee, `potentialOwner` and others are candidates. They
 * name `user(x)`, `group(y)`, several with commas, or a resource of the document, which is a role.
 */
export function adoptResources(
  node: BpmnElement,
  { isTask, warn }: { readonly isTask: boolean; readonly warn: VendorHost['warn'] },
): void {
  for (const role of node.resources ?? []) {
    const isPerformer = /^bpmn:(?:Human)?Performer$/.test(role.$type)
    const called = typeOf(role)
    const resource = role.resourceRef as BpmnElement | undefined
    const assignment = role.resourceAssignmentExpression as { expression?: BpmnElement } | undefined
    const written = assignment?.expression?.body?.trim() ?? resource?.name ?? role.name ?? ''
    if (!isTask) warn(`has a ${called}, which only tasks of people have`)
    else if (written === '') warn(`has a ${called} that names nobody`)
    else adoptRole(node, { called, written, isPerformer: isPerformer && resource === undefined, warn })
  }
}

interface Role {
  readonly called: string
  readonly written: string
  readonly isPerformer: boolean
  readonly warn: VendorHost['warn']
}

function adoptRole(node: BpmnElement, { called, written, isPerformer, warn }: Role): void {
  const text = translateText(written)
  const users: string[] = []
  const groups: string[] = []
  for (const one of text === undefined ? [] : splitList(text)) {
    const [, kind, inside = one] = /^(user|group)\s*\((.*)\)$/.exec(one) ?? []
    const isUser = kind === 'user' || (kind === undefined && (isPerformer || (namesUser(one) && !one.includes('${'))))
    ;(isUser ? users : groups).push(inside.trim())
  }
  const unknown = users.filter((user) => !namesUser(user))
  if (text === undefined || unknown.length > 0)
    warn(
      `has the ${called} "${(unknown.join(',') || written).slice(0, 80)}", which names no user here: write ids or addresses of users as wf:assignee or wf:candidateUsers`,
    )
  const named = users.filter(namesUser)
  if (isPerformer && named[0] !== undefined) node.assignee ??= named[0]
  else add(node, 'candidateUsers', named)
  add(node, 'candidateRoles', groups)
}

function add(node: BpmnElement, attribute: 'candidateUsers' | 'candidateRoles', names: readonly string[]): void {
  if (names.length > 0)
    node[attribute] = [...(node[attribute] === undefined ? [] : [node[attribute]]), ...names].join(',')
}
