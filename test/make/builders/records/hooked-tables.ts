import type { TestService } from '../../services/service.ts'
import { makeTable } from './tables.ts'

export const taskFields = [
  { name: 'title', type: 'text' },
  { name: 'ticket_id', type: 'model_list', target_table: 'tickets' },
  { name: 'done', type: 'boolean', default: false },
]

/** Makes tickets with states, tasks of tickets, and checks of tasks. */
export async function makeHookedTables(service: TestService): Promise<void> {
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text', required: true, max_length: 50 },
    { name: 'note', type: 'textarea' },
    { name: 'priority', type: 'integer', min: 1, max: 5 },
    { name: 'code', type: 'text', unique: true },
    {
      name: 'status',
      type: 'state_model',
      states: [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'closed' }],
      transitions: [
        { from: 'new', to: 'open' },
        { from: 'open', to: 'closed', roles: ['agent'] },
      ],
    },
  ])
  await makeTable(service, 'tasks', taskFields)
  await makeTable(service, 'checks', [
    { name: 'task_id', type: 'model_list', target_table: 'tasks' },
    { name: 'by', type: 'text' },
  ])
}
