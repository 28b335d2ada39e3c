import type { Field } from '../api/tables.ts'
import type { FieldModule } from './field-module.ts'
import { boolean } from './types/boolean.tsx'
import { choice, choices } from './types/choice.tsx'
import { computed } from './types/computed.tsx'
import { date, datetime } from './types/date.tsx'
import { duration } from './types/duration.tsx'
import { file } from './types/file.tsx'
import { json } from './types/json.tsx'
import { decimal, integer, number } from './types/number.tsx'
import { person } from './types/person.tsx'
import { reference } from './types/reference.tsx'
import { state } from './types/state.tsx'
import { email, longText, phone, text, url } from './types/text.tsx'
import { turn } from './types/turn.tsx'

/** The module of each type of field of the service. */
const modules: ReadonlyMap<string, FieldModule> = new Map(
  Object.entries({
    auto_number: { ...text, Edit: undefined },
    boolean,
    company: reference,
    computed,
    date,
    datetime,
    decimal,
    duration,
    email,
    file,
    float: number,
    image: file,
    integer,
    json,
    model_list: reference,
    multi_value_list: choices,
    org_unit: reference,
    phone,
    point: json,
    rollup: computed,
    state_model: state,
    text,
    textarea: longText,
    turn,
    url,
    user: person,
    value_list: choice,
  } satisfies Record<string, FieldModule>),
)

const unknown: FieldModule = { ...json, Edit: undefined }

/** All that the app knows of the type of a field. */
export const moduleOf = ({ type }: Pick<Field, 'type'>): FieldModule => modules.get(type) ?? unknown

/** The fields that every record has, as lists show and filter them. */
export const standardFields: readonly Field[] = [
  { name: 'id', type: 'integer', readonly: true },
  { name: 'created_at', type: 'datetime', readonly: true },
  { name: 'updated_at', type: 'datetime', readonly: true },
  { name: 'created_by', type: 'user', readonly: true },
  { name: 'updated_by', type: 'user', readonly: true },
]
/** What lists know of the conversation with the customer of a record. */
export const conversationFields: readonly Field[] = [
  { name: 'conversation.awaits', type: 'turn', readonly: true },
  { name: 'conversation.last_at', type: 'datetime', readonly: true },
]
const standardNames: ReadonlySet<string> = new Set([...standardFields, ...conversationFields].map(({ name }) => name))

export const isStandard = (name: string): boolean => standardNames.has(name)
