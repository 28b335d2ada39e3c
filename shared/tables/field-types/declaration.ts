import * as z from 'zod'
import type { Problem } from '../../kernel/failures/sentence.ts'
import { maxFieldDescriptionCharacters, maxLabelCharacters } from '../../kernel/limits/tables.ts'
import type { JsonSchema } from '../../platform/http/openapi/document-types.ts'

export const namePattern = /^[a-z][a-z0-9_]{0,62}$/
export const Name = z
  .string()
  .regex(namePattern, { error: 'Use lower-case letters, digits and underscores, beginning with a letter, at most 63.' })
/** Whether a text is fit for headers, subjects and names of files. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
export const Label = z
  .string()
  .max(maxLabelCharacters)
  .refine(isOneLine, { error: 'A label is one line, without control characters.' })

/** A filter of lists, tested on the record as it would be stored. Its fields are checked when the table is saved. */
export const Condition = z.record(z.string(), z.unknown())
export type Condition = z.output<typeof Condition>

/** The properties that fields of every type take, besides `type`. */
export const commonProperties = {
  name: Name,
  label: Label.optional(),
  description: z.string().max(maxFieldDescriptionCharacters).optional(),
  renamed_from: Name.optional().meta({
    description:
      'The name that the field has had: it keeps its values, its history and its rules under the new one. Not kept, and nothing happens to a field that has its new name already.',
  }),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  indexed: z.boolean().optional().meta({
    description: 'Accepted and kept. It changes nothing: every field can be filtered and sorted.',
  }),
  default: z.json().optional().meta({
    description:
      'What a new record gets that does not send the field. Besides a value, fields of users take `$CURRENT_USER`, dates and datetimes `$TODAY`, `$NOW` and `$NOW(+2 days)`.',
  }),
  required_if: Condition.optional().meta({
    description:
      'A filter of lists over the fields of the record as it would be stored; a record that matches it needs a value here, on every write.',
  }),
  readonly_if: Condition.optional().meta({
    description: 'The same: in a record that matches it the value may not change.',
  }),
  visible_if: Condition.optional().meta({
    description: 'The same: in a record that does not match it forms leave the field out, and it is never required.',
  }),
}

/** A field of which only the common properties are known. */
export type AnyField = z.output<z.ZodObject<typeof commonProperties>> & { readonly type: string }
/** A field of a type with properties of its own. */
export type FieldWith<Own extends z.ZodRawShape> = z.output<z.ZodObject<typeof commonProperties & Own>> & {
  readonly type: string
}

/** Collects messages by the path they are about. */
export interface ErrorList {
  add(path: string, problem: Problem): void
}

/** A value in its stored form, or an error in the wording of Laravel's validator. */
export type CheckedValue = { readonly value: unknown } | { readonly error: Problem }

/** How values compare in lists and which operators they take: a file of `shared/lists/query/kinds` each. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'point'
  | 'decimal'
  | 'numbered'
  | 'choices'
  | 'opaque'

/** One of the values that a field offers. */
export interface Choice {
  readonly slug: string
  readonly label?: string
  readonly color?: string
  /** `false`: records keep it, new values are refused. */
  readonly is_active?: boolean
}

/** A move from one state, or with `*` from any, to another. */
export interface Transition {
  readonly from: string
  readonly to: string
  readonly label?: string
  readonly roles?: readonly string[]
  /** Fields that need a value for the move. */
  readonly required_fields?: readonly string[]
  /** What the record must be like for it. */
  readonly condition?: Condition
}

/** Who moves a value from one state to another. */
export interface Mover {
  readonly roles: readonly string[]
  readonly isAdministrator: boolean
}

/** Reads what a message holds; undefined for anything that is no such value. */
export interface MessageReaders {
  number(text: string): number | undefined
  /** ISO 8601 in UTC. */
  instant(value: unknown): string | undefined
  /** The calendar day in the tenant's time zone. */
  day(value: unknown): string | undefined
}

/**
 * Everything that the service knows of one type of fields, except how its kind compares. `Own`: the properties that only
 * fields of such types take.
 */
export interface FieldTypeDeclaration<Own extends z.ZodRawShape, F = FieldWith<Own>> {
  /** What it is for, in the reference. */
  readonly description: string
  /** A property that several types have is the same schema in each. */
  readonly properties: Own
  /** Own properties that last as long as the table has records, and what they are called. */
  readonly lasting?: { readonly [property in keyof Own]?: string }
  /** The same, once the table has had a record. */
  readonly permanent?: { readonly [property in keyof Own]?: string }
  /** Whether its value is one plain value, which can be unique. */
  readonly mayBeUnique: boolean
  /** Whether a table without a title field takes its first field of the type. */
  readonly isTitle?: true
  /** Whether those who watch a record are notified of changes. */
  readonly isWatched?: true

  /** Whether the service makes its values of others: whoever sends one that the record does not have is refused. */
  readonly isDerived?: true
  /** The declaration for a field whose own properties decide how its values compare; undefined for this one. */
  variantOf?(field: F): AnyFieldType | undefined

  /** The value of a new record for a field that the service makes. */
  newValue?(field: F): unknown
  /** The same, of the record's id, for a value that then stays. `kept`: what the record had when it was deleted. */
  generate?(field: F, id: number, kept?: unknown): unknown
  /** The table whose records, that refer by one of their fields, its value is made of. */
  rollsUp?(field: F): { readonly table: string; readonly field: string } | undefined

  /**
   * Checks one non-null value and converts it to its stored form. Does not check that references exist. `held`: a value
   * that the record may keep although it is offered no longer.
   */
  check(field: F, value: unknown, held?: unknown): CheckedValue
  /** Refuses own properties that do not fit each other, or the names of tables. `at`: the path of the field. */
  checkField?(field: F, at: string, list: ErrorList, tables: ReadonlySet<string>): void

  readonly kind: ValueKind
  /** For values that are objects: what tells them from other objects, and the one text that a column holds of one. */
  readonly objects?: { has(value: object): boolean; columnText(value: object): string }
  /** Whether its texts may be longer than a column holds. */
  readonly mayBeLong?: true
  /** The rank of a word that occurs once in the field; undefined when the field is not searched. */
  searchWeight?(field: F): number | undefined

  /** The values that a field offers, in the order of its document. */
  readonly choices?: { readonly word: string; readonly several?: true; of(field: F): readonly Choice[] }
  /** Values that differ only in case are the same to filters and to `unique`. */
  readonly ignoresCase?: true
  /** For values that move through states: a record always has one, beginning with an initial one. */
  readonly lifecycle?: {
    initial(field: F): readonly string[]
    /** All moves, in the order of the field's document. */
    moves(field: F): readonly Transition[]
    /** The moves from a state that the mover's roles allow, whatever the record is like. */
    movesFrom(field: F, state: unknown, mover: Mover): readonly Transition[]
    /** Why a value may not move, as a message that names the allowed moves; undefined when it may, or stays. */
    checkMove(field: F, before: unknown, after: unknown, mover: Mover): Problem | undefined
    /** The roles that its moves name. `at`: their path within the field. */
    roles(field: F): readonly { readonly role: string; readonly at: string }[]
  }
  /** The table whose records it refers to by id. */
  refersToTable?(field: F): string | undefined
  /** Whether it refers to users by id. They are not a table. */
  readonly refersToPeople?: true
  /** What becomes of a record when the one that it refers to is deleted; without it: `keep`. */
  onDelete?(field: F): 'keep' | 'restrict' | 'set_null'
  /** The uploaded files whose paths it holds. */
  readonly files?: 'any' | 'images'

  /** In the API reference of a tenant's tables. */
  readonly reference: {
    /** A stored value; the limits of a field come with `input`. */
    readonly value: JsonSchema
    /** A value that may be sent. */
    input?(field: F): JsonSchema
    /** What a value besides must be when a new record needs one. */
    readonly demanded?: JsonSchema
    readonly hidesDefault?: true
    /** Schemas that `value` refers to, by name. */
    readonly shared?: Readonly<Record<string, JsonSchema>>
  }
  /** A value for examples. */
  example(field: F): unknown
  /** Whether any record may have the example. */
  isExampleValid?(field: F): boolean
  /** Its type in TypeScript, for authors of scripts. */
  scriptType(field: F): string

  /** The stored form of the value that a filter compares with; a value that it does not know stays as it is. */
  readOperand?(field: F, value: unknown): unknown

  /** Whether forms of tasks show it, and whether they then list its options; without it they do not. */
  readonly inForms?: 'plain' | 'with options'
  /** The value that a text of a process template stands for; without it the text. */
  readText?(text: string): unknown
  /**
   * The value that a cell of a file of text stands for, unchecked; the text itself when it stands for none, so that the
   * check refuses it. Cells without text are not asked for.
   */
  readCell(field: F, text: string): unknown
  /** A stored value as the text of a cell, which `readCell` reads back. Without it values that are objects are JSON. */
  writeCell?(field: F, value: unknown): string
  /** The value of a message in the form of the field, unchecked; undefined leaves the field out. Without it as it is. */
  readMessage?(field: F, value: unknown, read: MessageReaders): unknown
  /** A value as a person reads it in history; undefined when it is too long, or says nothing to a person. */
  inWords?(field: F, value: unknown, users: ReadonlyMap<number, string>): string | undefined
}

/** What the service knows of a field type, whatever its properties. */
export type AnyFieldType = FieldTypeDeclaration<z.ZodRawShape, AnyField>

/** Declares a field type; its functions get fields with its own properties. */
export const defineFieldType = <const Own extends z.ZodRawShape>(
  declaration: FieldTypeDeclaration<Own>,
): FieldTypeDeclaration<Own> => declaration
