import type { ApiCall, TestService } from '../../services/service.ts'
import { makeTable } from '../records/tables.ts'
import { bpmn, makeProcess } from './processes.ts'

const fields = [
  { name: 'title', type: 'text', required: true },
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'integer' },
  { name: 'note', type: 'text' },
]
let count = 0

/** Creates a table of approvals, and answers its name. */
export async function makeApprovals(service: TestService): Promise<string> {
  const name = `approvals_${++count}`
  await makeTable(service, name, fields)
  return name
}

/** The same with one process that starts automatically. */
export async function tableWithProcess(service: TestService, elements: string, more: object = {}): Promise<string> {
  const name = await makeApprovals(service)
  await makeProcess(service, name, `process_${count}`, bpmn(elements), { is_auto_start: true, ...more })
  return name
}

/** Creates a record, and answers its id. */
export const createApproval = async (api: ApiCall, model: string, body: object = { title: 'A' }): Promise<number> =>
  (await api('POST', `/api/e/${model}`, body)).body.data.id

/** The elements that an instance has completed, in their order. */
export const elementsOf = (instance: any) =>
  instance.history.filter(({ status }: any) => status === 'completed').map(({ element_id }: any) => element_id)
