import type { Findings } from '../check/findings.ts'
import { type BpmnElement, isA } from './bpmn-element.ts'

/** The process to run: the one marked executable, or the only one if it is not marked at all. */
export function chooseProcess(definitions: BpmnElement, { add, report }: Findings): BpmnElement | undefined {
  const processes = (definitions.rootElements ?? []).filter((element) => isA(element, 'Process'))
  const executable = processes.filter(({ isExecutable }) => isExecutable === true)
  const [only] = processes
  for (const process of executable.slice(1))
    report(process, `a template holds one executable process; set isExecutable="false" on all but one.`)
  if (executable.length > 0) return executable[0]
  if (only === undefined)
    add({ elementId: null, message: 'The document holds no process; it needs one <process> element.' })
  else if (processes.length > 1)
    add({
      elementId: null,
      message: 'None of the processes is executable; set isExecutable="true" on the one to run.',
    })
  else if (only.isExecutable === false) report(only, 'the process is not executable; set isExecutable="true".')
  else return only
  return undefined
}
