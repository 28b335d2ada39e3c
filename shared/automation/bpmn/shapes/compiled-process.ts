import type { FieldType } from '../../../tables/field-types/schema.ts'
import type { FindingCode } from './finding-codes.ts'
import type { CallDefinition, StoredGraph, Trigger, VariableMapping } from './graph.ts'
import type { ProcessReads } from './reads.ts'

/** A compiled process, stored as JSON with the version of its template, so that starting an instance parses no XML. */
export interface CompiledProcess {
  readonly v: 2
  readonly processId: string
  readonly name: string | null
  /** Its elements and flows, by which tokens move. */
  readonly graph: StoredGraph
  /** The attributes of the process element: `wf:table`, `wf:autoStart`, `wf:startCondition`. */
  readonly wf: { readonly table?: string; readonly isAutoStart?: boolean; readonly startCondition?: string }
  /** Every flow node by its id. `type` without its prefix: `userTask`, `exclusiveGateway`, ... */
  readonly elements: Readonly<Record<string, { readonly type: string; readonly name: string | null }>>
  /** User, manual and receive tasks. */
  readonly tasks: Readonly<Record<string, TaskDefinition>>
  /** Service, send, script and business rule tasks. */
  readonly work: Readonly<Record<string, WorkDefinition>>
  /** The variables that activities are given and hand over. */
  readonly mappings?: Readonly<Record<string, VariableMapping>>
  /** What call activities call. */
  readonly calls?: Readonly<Record<string, CallDefinition>>
  /** The start events that start the process when something occurs. */
  readonly starts?: readonly { readonly elementId: string; readonly triggers: readonly Trigger[] }[]
  /** The variables that an instance begins with. */
  readonly startVariables?: StartVariables
  /** The variables that it sets itself: until then they are undefined, and not unknown names. Left out by old versions. */
  readonly defines?: readonly string[]
  /** What goes into what it shows. Left out by old versions, of which nobody knows. */
  readonly reads?: ProcessReads
  /** It has no other start event, so it cannot be started by hand. */
  readonly isTriggered?: true
}

/** `initiators`: the names of those that hold the id of who has started it. */
export interface StartVariables {
  readonly initiators: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

/** A task that a person or a change of the record completes. Texts may be expressions: `${record.assigned_to}`. */
export interface TaskDefinition {
  readonly assignee?: string
  readonly candidateUsers: readonly string[]
  readonly candidateRoles: readonly string[]
  readonly candidateOrgUnits: readonly string[]
  /** An ISO 8601 duration (`PT4H`) from its creation, a datetime, or an expression for either. */
  readonly dueDate?: string
  readonly priority?: string
  readonly formKey?: string
  readonly form: readonly FormField[]
  /** The allowed outcomes; empty: any. */
  readonly outcomes: readonly string[]
  /** The user task whose people may not do this one. */
  readonly fourEyes?: string
  /** Any one of them completes the task. */
  readonly completeOn: readonly CompletionRule[]
  readonly notifications: readonly (Notification & { readonly on: 'create' | 'complete' | 'cancel' })[]
  readonly setFields: readonly (SetFields & { readonly on: 'create' | 'complete' })[]
}

export interface FormField {
  readonly name: string
  readonly label?: string
  /** One that forms may show. */
  readonly type: FieldType
  readonly isRequired: boolean
  readonly isReadonly: boolean
  /** The field of the record that a value is written to, from `record.<field>`. */
  readonly bind?: string
  readonly default?: string
  /** Of a type that takes options. */
  readonly options?: readonly string[]
  /** Digits after the point of a decimal. */
  readonly scale?: number
}

export const fieldOperators = [
  'eq',
  'ne',
  'in',
  'notIn',
  'gt',
  'gte',
  'lt',
  'lte',
  'empty',
  'notEmpty',
  'contains',
  'startsWith',
  'changes',
  'changesTo',
  'changesFrom',
] as const

export interface FieldCondition {
  readonly field: string
  readonly op: (typeof fieldOperators)[number]
  /** As written in the XML; compared in the type of the record's value. */
  readonly values: readonly string[]
}

/** One way in which the record completes a task. */
export interface CompletionRule {
  readonly match: 'all' | 'any'
  readonly outcome?: string
  readonly conditions: readonly FieldCondition[]
  readonly groups: readonly { readonly match: 'all' | 'any'; readonly conditions: readonly FieldCondition[] }[]
  /** JavaScript over `record`, `old`, `user`, `task`, `variables`; counts as one more condition. */
  readonly expression?: string
}

export interface FieldValue {
  readonly field: string
  /** A literal, converted to the type of the field, or an expression. */
  readonly value: string
}

export interface SetFields {
  readonly sets: readonly FieldValue[]
}

export interface Notification {
  /** A channel's id, name or type; `push`: the notification bell. */
  readonly channel: string
  /** `user:3`, `role:agent`, an address, or an expression for any of them; several are separated by commas. */
  readonly to: string
  readonly template?: string
  readonly title?: string
  readonly text?: string
}

export type WorkDefinition =
  | { readonly kind: 'script'; readonly script: string; readonly resultVariable?: string }
  | ({ readonly kind: 'setFields' } & SetFields)
  | {
      readonly kind: 'createRecord'
      readonly table: string
      readonly sets: readonly FieldValue[]
      readonly resultVariable?: string
    }
  | {
      readonly kind: 'decision'
      /** The code of a decision, or an expression for it. */
      readonly decision: string
      readonly resultVariable: string
      /** The version of when the process was saved; the latest when left out. */
      readonly pinned?: 'unknown' | { readonly decisionId: number; readonly version: number }
    }
  | { readonly kind: 'notify'; readonly notifications: readonly Notification[] }
  /** Does nothing: the token passes through. */
  | { readonly kind: 'none' }

/** JavaScript on a sequence flow, or of an element. */
export interface FlowCondition {
  readonly elementId: string
  readonly source: string
}

/** Why a template cannot run. `elementId` null: the document as a whole. Without a code: `invalid`. */
export interface Finding {
  readonly elementId: string | null
  readonly code?: FindingCode
  readonly message: string
}
