import { describe, expect, it } from 'vitest'
import { circleFault, circlesIn, folderImports, knownCircles, sharedFiles } from '../../lint/folder-circles.ts'

const room = 'shared/automation/processes'

describe('two folders of a room', () => {
  const imports = folderImports([
    [`${room}/tasks/list-tasks.ts`, "import { readTask } from '../rows/task-row.ts'"],
    [`${room}/rows/task-row.ts`, "import type { TaskAnswer } from '../schema.ts'"],
    [`${room}/steps/calls/call-rows.ts`, "import { endInstance } from '../end-instance.ts'"],
    [`${room}/steps/deep/a.ts`, "const later = () => import('../calls/call-rows.ts')"],
    [`${room}/service.ts`, "import { listTasks } from './tasks/list-tasks.ts'"],
  ])

  it('import each other in one direction only', () => {
    const fault = (from: string, target: string) => circleFault(`${room}/${from}`, `${room}/${target}`, () => imports)
    expect(fault('rows/task-row.ts', 'tasks/list-tasks.ts')).toContain('tasks import each other')
    expect(fault('steps/calls/call-rows.ts', 'steps/deep/a.ts')).toContain('steps/deep import each other')
    expect(fault('tasks/list-tasks.ts', 'rows/task-row.ts')).toBeUndefined()
    expect(fault('tasks/list-tasks.ts', 'service.ts')).toBeUndefined()
    expect(fault('steps/run-step.ts', 'steps/calls/call-rows.ts')).toBeUndefined()
    expect(circleFault('functions/api/a.ts', `${room}/rows/task-row.ts`, () => imports)).toBeUndefined()
  })

  it('are found in both directions', () => {
    expect(circlesIn(imports)).toEqual([])
    const back = folderImports([[`${room}/rows/task-row.ts`, "import { a } from '../tasks/a.ts'"]])
    expect(circlesIn(new Set([...imports, ...back]))).toEqual(['automation/processes/rows automation/processes/tasks'])
  })

  it('are listed as known for as long as they do, and no others are', () => {
    expect(circlesIn(folderImports(sharedFiles())).toSorted()).toEqual([...knownCircles].toSorted())
  })
})
