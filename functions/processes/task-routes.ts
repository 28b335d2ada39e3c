import * as z from 'zod'
import { IdParam } from '../../shared/http/paging/page-query.ts'
import { defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { CompleteBody, TaskAnswer, TaskQuery } from '../../shared/processes/schema.ts'
import { claimedTask, completedTask, task } from './examples.ts'

const tag = 'Processes'
const oneTask = z.object({ id: IdParam.meta({ description: 'Id of the task.' }) })

export const listTasks = defineRoute({
  method: 'GET',
  path: '/api/sys/process-tasks',
  tag,
  summary: 'List tasks of processes',
  description:
    '`mine=true`: what waits for you. Otherwise the tasks of records you may read; administrators see all. Newest first. A task that was just made may take up to two seconds to appear.',
  permission: signedIn,
  query: TaskQuery,
  answer: TaskAnswer,
  shape: 'page',
  example: { query: { mine: 'true' }, answer: [task] },
})

export const getTask = defineRoute({
  method: 'GET',
  path: '/api/sys/process-tasks/{id}',
  tag,
  summary: 'Read a task',
  description: 'For whoever it is assigned or offered to, and for whoever may read its record.',
  permission: signedIn,
  params: oneTask,
  answer: TaskAnswer,
  example: { params: { id: 31 }, answer: task },
})

export const completeTask = defineRoute({
  method: 'POST',
  path: '/api/sys/process-tasks/{id}/complete',
  tag,
  summary: 'Complete a task',
  description:
    'For its assignee; while it has none, for whoever it is offered to; offered to nobody, for whoever may update records of its table; for administrators always. `data` fills the form: what is bound to a field is written to the record in the same transaction, the rest becomes variables of the process. Wrong values are 422, named `data.<field>`. A task that is done already is 409 and says by whom.',
  permission: signedIn,
  params: oneTask,
  body: CompleteBody,
  alsoFails: [403, 409],
  answer: TaskAnswer,
  example: { params: { id: 31 }, body: { outcome: 'approved', data: { note: 'Fine with me' } }, answer: completedTask },
})

export const claimTask = defineRoute({
  method: 'POST',
  path: '/api/sys/process-tasks/{id}/claim',
  tag,
  summary: 'Claim a task',
  description: 'Assigns an unassigned task to you. A task assigned to someone else is 409 and names them.',
  permission: signedIn,
  params: oneTask,
  alsoFails: [403, 409],
  answer: TaskAnswer,
  example: { params: { id: 31 }, answer: claimedTask },
})

export const taskRoutes: readonly Route[] = [listTasks, getTask, completeTask, claimTask]
