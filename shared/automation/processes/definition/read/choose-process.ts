import type { Findings } from '../check/findings.ts'
import type { Finding } from '../compiled-process.ts'
import { type BpmnElement, describe, isA, sentence } from './bpmn-element.ts'

/**
 * The process to run: the one marked executable, or, if none is, the only one that is not marked at all and holds
 * anything. The processes of other pools, black boxes and message flows are pictures.
 */
export function chooseProcess(definitions: BpmnElement, { add, report }: Findings): BpmnElement | undefined {
  const roots = definitions.rootElements ?? []
  const processes = roots.filter((element) => isA(element, 'Process'))
  const executable = processes.filter(({ isExecutable }) => isExecutable === true)
  for (const process of executable.slice(1))
    report(process, `a template holds one executable process; set isExecutable="false" on all but one.`)
  if (executable.length > 0) return executable[0]
  if (processes.length === 0) {
    const what = roots.some((element) => isA(element, 'Choreography'))
      ? 'only a choreography, which cannot be run'
      : 'no process'
    add({ elementId: null, code: 'incomplete', message: `The document holds ${what}; it needs one <process> element.` })
    return undefined
  }
  const unmarked = processes.filter(({ isExecutable }) => isExecutable !== false)
  const filled = unmarked.filter(isFilled)
  const [only] = filled.length > 0 ? filled : unmarked
  if (only !== undefined && (filled.length === 1 || unmarked.length === 1)) return only
  if (processes.length === 1 && processes[0] !== undefined)
    report(processes[0], 'the process is not executable; set isExecutable="true".', 'incomplete')
  else
    add({
      elementId: null,
      code: 'incomplete',
      message: 'None of the processes is executable; set isExecutable="true" on the one to run.',
    })
  return undefined
}

/** What to tell about the processes of other pools: they are not run. */
export const pictures = (definitions: BpmnElement, process: BpmnElement): readonly Finding[] =>
  (definitions.rootElements ?? [])
    .filter((element) => isA(element, 'Process') && element !== process && element.isExecutable !== true)
    .filter(isFilled)
    .map((other) => ({
      elementId: other.id ?? null,
      message: sentence(`${describe(other)} is kept as a picture: the template runs ${describe(process)}.`),
    }))

const isFilled = ({ flowElements = [] }: BpmnElement): boolean =>
  flowElements.some((element) => isA(element, 'FlowNode'))
