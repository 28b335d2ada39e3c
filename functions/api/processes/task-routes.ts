import * as z from 'zod'
import {
  CompleteBody,
  DelegateBody,
  ReassignBody,
  TaskAnswer,
  TaskChangeBody,
  TaskQuery,
} from '../../../shared/automation/processes/schema.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'
import { claimedTask, completedTask, delegatedTask, dueTask, reassignedTask, task, unclaimedTask } from './examples.ts'

const tag = 'Processes'
const oneTask = z.object({ id: idOf('task') })

export const listTasks = defineRoute({
  method: 'GET',
  path: '/api/sys/process-tasks',
  tag,
  summary: 'List tasks of processes',
  description:
    'With `mine=true`, the tasks that wait for you. Otherwise the tasks of records you may read; administrators see all. Newest first. A new task may take up to two seconds to appear.',
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
  description:
    'Allowed to its assignee, its candidates, and users who may read its record. A task that is offered to nobody only to the latter.',
  permission: signedIn,
  params: oneTask,
  answer: TaskAnswer,
  example: { params: { id: 1 }, answer: task },
})

export const taskVerbs = verbRoutes(
  {
    path: '/api/sys/process-tasks/{id}',
    tag,
    permission: signedIn,
    params: oneTask,
    alsoFails: [403, 409],
    answer: TaskAnswer,
    of: { id: 1 },
  },
  {
    complete: {
      summary: 'Complete a task',
      description:
        'Allowed to its assignee; without one, to its candidates; always to administrators. A task that is offered to nobody is for who may update its record (row rules included), claimed or not, and its form writes only what they may write. `data` fills the form: values bound to a field are written to the record in the same transaction, the others become variables of the process. Wrong values are 422 on `data.<field>`. A task that has ended already is 409, with the user who completed it.',
      body: CompleteBody,
      example: { body: { outcome: 'approved' }, answer: completedTask },
    },
    claim: {
      summary: 'Claim a task',
      description:
        'Assigns an unassigned task to you. One that is offered to nobody needs update on its record (row rules included), and the claim gives no right beyond. A task assigned to someone else is 409 and names them.',
      example: { answer: claimedTask },
    },
    unclaim: {
      summary: 'Give a task back to its candidates',
      description:
        'Allowed to its assignee and to administrators; while it is delegated, to its owner instead. A task that nobody has, or that has no candidates, is 409.',
      example: { answer: unclaimedTask },
    },
    reassign: {
      summary: 'Assign a task to somebody else',
      description:
        'For good: it does not return, and a delegation ends. Allowed to its assignee and to administrators; while it is delegated, to its owner instead. The new assignee is notified. Somebody who does not exist or is not active is 422 on `assignee`.',
      body: ReassignBody,
      example: { body: { assignee: 2 }, answer: reassignedTask },
    },
    delegate: {
      summary: 'Delegate a task',
      description:
        'Somebody else works on it (`delegation: pending`). When they complete it, it returns to its `owner` (`resolved`), who completes it: what the delegate entered counts where the owner enters nothing else. Allowed to who may complete it, and to its owner. The delegate and, in the end, the owner are notified. Somebody who does not exist or is not active is 422 on `to`.',
      body: DelegateBody,
      example: { body: { to: 2 }, answer: delegatedTask },
    },
  },
)

export const changeTask = defineRoute({
  method: 'PATCH',
  path: '/api/sys/process-tasks/{id}',
  tag,
  takesIfMatch: true,
  summary: 'Change when a task is due',
  description:
    'Allowed to its assignee and to administrators; while it is delegated, to its owner instead. `version`, when given, must be the current one (412).',
  permission: signedIn,
  params: oneTask,
  body: TaskChangeBody,
  alsoFails: [403, 409],
  answer: TaskAnswer,
  example: { params: { id: 1 }, body: { due_at: '2026-11-24T09:00:00Z' }, answer: dueTask },
})

export const taskRoutes: readonly Route[] = [listTasks, getTask, ...Object.values(taskVerbs), changeTask]
