import { maxRecordBytes } from '../../../../shared/kernel/limits/records.ts'
import { type Axis, bytesOf, type Data, merged, type Plan, range } from '../plan.ts'

/** Other words for each `from`, each of them in many places. */
const words = (from: number, bytes: number): string =>
  range(Math.ceil(bytes / 4), (at) => `w${(at + from).toString(36)}`)
    .join(' ')
    .slice(0, Math.max(0, bytes))

/** What hooks write to a record, and names of fields without a value. */
const reserveBytes = 64

/** A text as long as the rest of the record leaves it. */
function fillRecord(more: number): (plan: Plan) => void {
  return ({ fields, create, change }) => {
    const [first, second] = [[...create], [...change]]
    // Fields without a value count as well.
    const empty = Object.fromEntries(fields.map(({ name }) => [name as string, null]))
    const rest = (data: Data) => maxRecordBytes - reserveBytes + more - bytesOf({ ...empty, ...data, body: '' })
    create.push((n) => ({ body: words(0, rest(merged(first, n))) }))
    change.push((n) => ({ body: words(50_000, rest({ ...merged(first, n), ...merged(second, n) })) }))
  }
}

export const recordAxes: readonly Axis[] = [
  {
    name: 'files',
    apply: (plan, { files, otherFiles }) => {
      const { fields, create, change } = plan
      plan.rowMs += 25
      fields.push({ name: 'papers', type: 'file', multiple: true })
      create.push(() => ({ papers: files }))
      change.push(() => ({ papers: otherFiles }))
    },
    beyond: {
      step: 'create',
      says: /papers.*50/s,
      change: ({ create }, { files, otherFiles }) => create.push(() => ({ papers: [...files, otherFiles[0]] })),
    },
  },
  {
    name: 'links',
    apply: (plan, { targets }) => {
      const { model, prepare, attach } = plan
      let relation = 0
      plan.relates = true
      prepare.push(async (ask) => {
        const body = { name: `with_${model}`, l_table: model, r_table: 'targets' }
        relation = (await ask('relation', 'POST', '/api/sys/relations', body)).data.id
      })
      attach.push(async (id, ask) => {
        await ask('links', 'POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: targets })
      })
    },
    beyond: {
      step: 'more links',
      says: /ids.*1,?000/s,
      change: ({ model, attach }, { targets }) =>
        attach.push(async (id, ask) => {
          const relations = await ask('relations', 'GET', `/api/sys/entities/name/${model}`)
          const path = `/api/sys/add_related_instances/${relations.data.relations[0].id}/l_table/${id}`
          await ask('more links', 'POST', path, { ids: [...targets, 1_000_000] })
        }),
    },
  },
  {
    name: 'record size',
    apply: ({ fields, finish }) => {
      fields.push({ name: 'body', type: 'textarea' })
      finish.push(fillRecord(0))
    },
    beyond: {
      step: 'create',
      says: /record_too_large.*350 KB/s,
      change: ({ finish }) => finish.push(fillRecord(reserveBytes + 1)),
    },
  },
  {
    name: 'references',
    apply: ({ model, fields, create, change, attach }, { targets }) => {
      fields.push({ name: 'parent_id', type: 'model_list', target_table: 'targets', on_delete: 'set_null' })
      create.push(() => ({ parent_id: targets[0] }))
      change.push((n) => ({ parent_id: targets[n] }))
      attach.push(async (id, ask) => {
        const name = `of_${model}`
        const table_fields = [{ name: 'main_id', type: 'model_list', target_table: model, on_delete: 'set_null' }]
        await ask('referring table', 'POST', '/api/sys/entities', { name, table_fields })
        const rows = range(120, () => ({ main_id: id }))
        await ask('references', 'POST', `/api/e/${name}/import`, { rows })
      })
    },
  },
]
