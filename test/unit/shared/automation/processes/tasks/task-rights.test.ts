import { describe, expect, it } from 'vitest'
import { isMine, mayClaim, mayComplete } from '../../../../../../shared/automation/processes/tasks/task-rights.ts'

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
