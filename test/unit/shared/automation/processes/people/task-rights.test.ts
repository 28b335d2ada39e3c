import { describe, expect, it } from 'vitest'
import { isSameScope } from '../../../../../../shared/automation/processes/people/four-eyes.ts'
import { peopleOfCompletion } from '../../../../../../shared/automation/processes/people/people-of-completion.ts'
import {
  isMine,
  mayClaim,
  mayComplete,
  needsOwnRight,
} from '../../../../../../shared/automation/processes/people/task-rights.ts'
import { readTask, taskItem } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'

const nobody = { userId: 1, roles: [], orgUnitIds: [], permissions: [], isAdministrator: false }
const people = {
  administrator: { ...nobody, isAdministrator: true },
  writer: { ...nobody, permissions: ['requests.update'] },
  named: { ...nobody, userId: 7 },
  agent: { ...nobody, roles: ['agent'] },
  member: { ...nobody, orgUnitIds: [3] },
  stranger: nobody,
}
const open = { model: 'requests', assignee: null, candidateUsers: [], candidateRoles: [], candidateOrgUnits: [] }
const offered = { ...open, candidateUsers: [7], candidateRoles: ['agent'], candidateOrgUnits: [3] }
const whoOf = (rule: typeof mayComplete, task: Parameters<typeof mayComplete>[1]) =>
  Object.entries(people).flatMap(([name, who]) => (rule(who, task) ? [name] : []))

describe('a task', () => {
  it('that is offered can be completed by its candidates', () => {
    expect(whoOf(isMine, offered)).toEqual(['named', 'agent', 'member'])
    expect(whoOf(mayClaim, offered)).toEqual(['administrator', 'named', 'agent', 'member'])
    expect(whoOf(mayComplete, offered)).toEqual(['administrator', 'named', 'agent', 'member'])
  })

  it('that is assigned can be completed by its assignee, and not by its candidates', () => {
    const assigned = { ...offered, assignee: 7 }
    expect(whoOf(isMine, assigned)).toEqual(['named'])
    expect(whoOf(mayComplete, assigned)).toEqual(['administrator', 'named'])
  })

  it('without candidates can be completed by users who may update records of its table', () => {
    expect(whoOf(isMine, open)).toEqual([])
    expect(whoOf(mayClaim, open)).toEqual(['administrator', 'writer'])
    expect(whoOf(mayComplete, open)).toEqual(['administrator', 'writer'])
  })
})

describe('a right of their own', () => {
  const at = '2026-11-23T08:00:00.000Z'
  const claimed = { what: 'claimed', by: 7, at } as const

  it('is needed by whoever does a task that nobody was asked to do, claimed or not', () => {
    expect(needsOwnRight(pendingTask(1))).toBe(true)
    expect(needsOwnRight(pendingTask(1, { assignee: 7, isTaken: true }))).toBe(true)
    expect(needsOwnRight(pendingTask(1, { assignee: 7 }))).toBe(false)
    for (const candidates of [{ candidateUsers: [7] }, { candidateRoles: ['agent'] }, { candidateOrgUnits: [3] }])
      expect(needsOwnRight(pendingTask(1, { assignee: 7, isTaken: true, ...candidates }))).toBe(false)
  })

  it('is kept with the row, and read from the history of a row that does not say so', () => {
    const stored = (task: Parameters<typeof pendingTask>[1]) => taskItem({ id: 1 }, pendingTask(1, task))
    expect(readTask(stored({ assignee: 7, isTaken: true, history: [claimed] })).isTaken).toBe(true)
    expect(readTask(stored({ assignee: 7, isTaken: false, history: [claimed] })).isTaken).toBe(false)
    expect(readTask(stored({ assignee: 7 })).isTaken).toBe(false)
    const { is_taken: _, ...former } = stored({ assignee: 7, history: [claimed] })
    expect(readTask(former).isTaken).toBe(true)
  })
})

describe('four eyes', () => {
  it('count who does a task, who acts as them, for whom, its owner, its delegates and whose it is', () => {
    const task = { owner: 4, workers: [5, 6], substitutedFor: 7 }
    expect(peopleOfCompletion(task, { userId: 1, impersonatorId: 2 }, 3)).toEqual([1, 2, 3, 4, 7, 5, 6])
    expect(peopleOfCompletion({ owner: null, workers: [1], substitutedFor: null }, { userId: 1 }, null)).toEqual([1])
    expect(peopleOfCompletion({ owner: null, workers: [], substitutedFor: null }, { userId: 0 })).toEqual([])
  })

  it('see tasks of the same pass of each sub-process around both', () => {
    const pass = (executionId: string, elementId = 'round') => ({ elementId, executionId })
    expect(isSameScope([pass('a')], [pass('a')])).toBe(true)
    expect(isSameScope([pass('a')], [pass('b')])).toBe(false)
    expect(isSameScope([pass('a'), pass('x', 'inner')], [pass('a'), pass('y', 'inner')])).toBe(false)
    // What is around one of them only does not part them.
    expect(isSameScope([], [pass('b')])).toBe(true)
    expect(isSameScope([pass('a')], [pass('a'), pass('b', 'inner')])).toBe(true)
  })
})
