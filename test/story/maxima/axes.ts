/** One declared limit each, as what it adds to a table, its records, and what is done with them. */

import {
  maxFields,
  maxHooks,
  maxHookScriptBytes,
  maxOptions,
  maxStates,
  maxTransitions,
  maxUniqueFields,
} from '../../../shared/kernel/limits/tables.ts'
import { upload } from '../../make/builders/uploads.ts'
import type { TestService } from '../../make/services/service.ts'

export type Data = Record<string, unknown>

/** A table at some of its maxima, with the requests that exercise it. */
export interface Plan {
  readonly model: string
  readonly fields: object[]
  readonly hooks: { kind: string; script: string; is_active?: boolean }[]
  /** The values of a new record, and of a change of every one of them; `n` makes unique values differ. */
  readonly create: ((n: number) => Data)[]
  readonly change: ((n: number) => Data)[]
  /** What is done once the table exists, and with its first record. */
  readonly prepare: (() => Promise<void>)[]
  readonly attach: ((id: number) => Promise<void>)[]
}

/** What the axes share within a tenant: made once, because it is slow. */
export interface Shared {
  readonly service: TestService
  readonly files: readonly string[]
  readonly otherFiles: readonly string[]
  readonly targets: readonly number[]
  /** The jobs that index tables again. */
  readonly rebuilds: number[]
}

export interface Axis {
  readonly name: string
  readonly apply: (plan: Plan, shared: Shared) => void
}

const range = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const filled = (characters: number): string =>
  'lorem ipsum dolor '.repeat(Math.ceil(characters / 18)).slice(0, characters)

/** Uploads the files that records of every case hold; a record of its own keeps them. */
export const uploadMany = (service: TestService, count: number): Promise<string[]> =>
  Promise.all(range(count, () => upload(service)))

export const axes: readonly Axis[] = [
  {
    name: 'fields',
    // Padded last, see `finish`: as many fields as the table may still have.
    apply: () => {},
  },
  {
    name: 'options',
    apply: ({ fields, create, change }) => {
      const few = [{ slug: 'a' }, { slug: 'b' }]
      fields.push({ name: 'many', type: 'value_list', options: range(maxOptions, (at) => ({ slug: `o${at}` })) })
      fields.push(...range(99, (at) => ({ name: `list_${at}`, type: 'value_list', options: few })))
      const values = (slug: string) => Object.fromEntries(range(99, (at) => [`list_${at}`, slug]))
      create.push(() => ({ many: 'o0', ...values('a') }))
      change.push(() => ({ many: `o${maxOptions - 1}`, ...values('b') }))
    },
  },
  {
    name: 'states',
    apply: ({ fields, create, change }) => {
      const slug = (at: number) => `s${at}`
      const states = range(maxStates, (at) => ({ slug: slug(at), ...(at === 0 && { is_initial: true }) }))
      const transitions = range(maxTransitions, (at) => ({
        from: slug(at % maxStates),
        to: slug((at + 1 + (at % 10)) % maxStates),
      }))
      fields.push({ name: 'phase', type: 'state_model', states, transitions })
      create.push(() => ({ phase: 's0' }))
      change.push(() => ({ phase: 's1' }))
    },
  },
  {
    name: 'unique',
    apply: ({ fields, create, change }) => {
      fields.push(...range(maxUniqueFields, (at) => ({ name: `code_${at}`, type: 'textarea', unique: true })))
      const values = (n: number, of: string) =>
        Object.fromEntries(range(maxUniqueFields, (at) => [`code_${at}`, `${of} ${n} ${filled(900)}`]))
      create.push((n) => values(n, 'first'))
      change.push((n) => values(n, 'second'))
    },
  },
  {
    name: 'files',
    apply: ({ fields, create, change }, { files, otherFiles }) => {
      fields.push({ name: 'papers', type: 'file', multiple: true })
      create.push(() => ({ papers: files }))
      change.push(() => ({ papers: otherFiles }))
    },
  },
  {
    name: 'links',
    apply: ({ model, prepare, attach }, { service, targets }) => {
      const { token } = service.admin
      let relation = 0
      prepare.push(async () => {
        const body = { name: `with_${model}`, l_table: model, r_table: 'targets' }
        const made = await service.api('POST', '/api/sys/relations', { token, body })
        if (made.status !== 201) throw new Error(`relation: ${JSON.stringify(made.body)}`)
        relation = made.body.data.id
      })
      attach.push(async (id) => {
        const path = `/api/sys/add_related_instances/${relation}/l_table/${id}`
        const added = await service.api('POST', path, { token, body: { ids: targets } })
        if (added.status !== 200) throw new Error(`links: ${added.status} ${JSON.stringify(added.body)}`)
      })
    },
  },
  {
    name: 'hooks',
    apply: ({ hooks, fields }) => {
      fields.push({ name: 'ran', type: 'integer' })
      const script = 'if ($data) $data.ran = ($data.ran || 0) + 1'
      const kinds = ['before_create', 'before_update', 'before_delete', 'after_create', 'after_update', 'after_delete']
      // A run takes milliseconds: most hooks wait for an update, which a case makes once.
      for (const kind of kinds) hooks.push(...range(kind === 'before_update' ? 75 : 3, () => ({ kind, script })))
    },
  },
  {
    name: 'script size',
    apply: ({ hooks }) => {
      const script = `/* ${'x'.repeat(maxHookScriptBytes - 40)} */ const seen = 1`
      for (const kind of ['before_create', 'before_update']) hooks.push({ kind, script })
    },
  },
  {
    name: 'calls',
    apply: ({ hooks }) => {
      hooks.push({ kind: 'before_update', script: "for (let i = 0; i < 50; i++) $api.get('targets', $context.id)" })
      hooks.push({
        kind: 'after_create',
        script: "for (let i = 0; i < 50; i++) $api.create('echoes', { name: 'e' + i })",
      })
    },
  },
  {
    name: 'notifications',
    apply: ({ hooks }, { service }) => {
      const script = `for (let i = 0; i < 35; i++) $api.sendPushNotification('n' + i, 'text', null, [${service.admin.userId}])`
      for (const kind of [
        'before_create',
        'before_update',
        'before_delete',
        'after_create',
        'after_update',
        'after_delete',
      ])
        hooks.push({ kind, script }, { kind, script })
    },
  },
  {
    name: 'record size',
    apply: ({ fields, create, change }) => {
      fields.push({ name: 'body', type: 'textarea' })
      const words = (from: number) =>
        range(40_000, (at) => `w${(at + from).toString(36)}`)
          .join(' ')
          .slice(0, 200_000)
      create.push(() => ({ body: words(0) }))
      change.push(() => ({ body: words(50_000) }))
    },
  },
  {
    name: 'references',
    apply: ({ model, fields, create, change, attach }, { service, targets }) => {
      const { token } = service.admin
      fields.push({ name: 'parent_id', type: 'model_list', target_table: 'targets', on_delete: 'set_null' })
      create.push(() => ({ parent_id: targets[0] }))
      change.push((n) => ({ parent_id: targets[n] }))
      attach.push(async (id) => {
        const name = `of_${model}`
        const table_fields = [{ name: 'main_id', type: 'model_list', target_table: model, on_delete: 'set_null' }]
        await service.api('POST', '/api/sys/entities', { token, body: { name, table_fields } })
        const rows = range(120, () => ({ main_id: id }))
        const { body } = await service.api('POST', `/api/e/${name}/import`, { token, body: { rows } })
        if (body.data?.created !== 120) throw new Error(`references: ${JSON.stringify(body).slice(0, 300)}`)
      })
    },
  },
]

/** Fills the table up to 200 hooks; those that are switched off cost no time. */
export function fillHooks({ hooks }: Plan): void {
  while (hooks.length < maxHooks) hooks.push({ kind: 'after_update', script: 'null', is_active: false })
}

/** Fills the table up to 200 fields, with a value each. */
export function fillFields({ fields, create, change }: Plan): void {
  const types = ['boolean', 'integer', 'text', 'float', 'date', 'user']
  const first: Data = {}
  const second: Data = {}
  const values: Record<string, [unknown, unknown]> = {
    boolean: [true, false],
    integer: [1, 2],
    text: ['one', 'two'],
    float: [1.5, 2.5],
    date: ['2026-01-01', '2026-01-02'],
    user: [null, null],
  }
  for (let at = 0; fields.length < maxFields; at += 1) {
    const type = types[at % types.length] as string
    fields.push({ name: `pad_${at}`, type })
    ;[first[`pad_${at}`], second[`pad_${at}`]] = values[type] as [unknown, unknown]
  }
  create.push(() => first)
  change.push(() => second)
}
