import { describe, expect, it } from 'vitest'
import type { Task } from '../../../web/api/about-record.ts'
import { whoseOf } from '../../../web/tasks/whose.ts'

const [reader, ada, bob] = [1, 2, 3] as const
const whose = (task: Partial<Task>, isMine: boolean) =>
  whoseOf({ assignee: null, owner: null, delegation: null, substituted_for: null, ...task } as Task, reader, isMine)

describe('whose a task is', () => {
  it('is not told of one that nobody has', () => expect(whose({}, true)).toBeUndefined())

  it.each([
    ['the reader', { assignee: reader }, true, { says: 'tasks.yours' }],
    ['somebody else', { assignee: ada }, false, { says: 'tasks.theirs', name: ada }],
    [
      'the reader, for somebody who is away',
      { assignee: reader, substituted_for: ada },
      true,
      { says: 'tasks.for', name: ada },
    ],
    ['somebody for whom the reader stands in', { assignee: ada }, true, { says: 'tasks.for', name: ada }],
    [
      'who stands in for the reader',
      { assignee: ada, substituted_for: reader },
      true,
      { says: 'tasks.standsInForYou', name: ada },
    ],
    [
      'who stands in for another',
      { assignee: ada, substituted_for: bob },
      false,
      { says: 'tasks.theirsFor', name: ada, owner: bob },
    ],
    [
      'whom the reader asked',
      { assignee: ada, owner: reader, delegation: 'pending' },
      true,
      { says: 'tasks.youAsked', name: ada },
    ],
    [
      'the reader, asked by somebody',
      { assignee: reader, owner: ada, delegation: 'pending' },
      true,
      { says: 'tasks.asksYou', name: ada },
    ],
    [
      'somebody, asked by another',
      { assignee: ada, owner: bob, delegation: 'pending' },
      false,
      { says: 'tasks.asked', name: ada, owner: bob },
    ],
    ['the reader again', { assignee: reader, owner: reader, delegation: 'resolved' }, true, { says: 'tasks.returned' }],
  ] as const)('%s', (_, task, isMine, said) => expect(whose(task, isMine)).toEqual(said))
})
