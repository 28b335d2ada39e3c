import { type BpmnElement, describe, isA, sentence } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import type { Findings } from '../../shapes/findings.ts'

/**
 * The process to run: the one marked executable, else the one that is not marked at all, else the only one. Of several it
 * is the first that holds anything and that none of the others calls. The processes of other pools, black boxes and
 * message flows are pictures.
 */
export function chooseProcess(definitions: BpmnElement, { add }: Findings): BpmnElement | undefined {
  const roots = definitions.rootElements ?? []
  const processes = roots.filter((element) => isA(element, 'Process'))
  if (processes.length === 0) {
    const what = roots.some((element) => isA(element, 'Choreography'))
      ? 'only a choreography, which cannot be run'
      : 'no process'
    add({ elementId: null, code: 'incomplete', message: `The document holds ${what}; it needs one <process> element.` })
    return undefined
  }
  const executable = processes.filter(({ isExecutable }) => isExecutable === true)
  const unmarked = processes.filter(({ isExecutable }) => isExecutable === undefined)
  for (const candidates of [executable, unmarked]) {
    const filled = candidates.filter(isFilled)
    const chosen = filled.find((one) => !isCalled(one, filled)) ?? filled[0] ?? candidates[0]
    if (chosen !== undefined && (filled.length > 0 || candidates === executable)) return chosen
  }
  const filled = processes.filter(isFilled)
  if (filled.length === 1) return filled[0]
  if (processes.length === 1) return processes[0]
  add({
    elementId: null,
    code: 'incomplete',
    message: 'None of the processes is executable; set isExecutable="true" on the one to run.',
  })
  return undefined
}

/** Whether one of the other processes calls it. */
const isCalled = (process: BpmnElement, all: readonly BpmnElement[]): boolean =>
  all.some((other) => other !== process && callsIn(other).includes(process.id))

const callsIn = ({ flowElements = [] }: BpmnElement): unknown[] =>
  flowElements.flatMap((element) => [element.calledElement, ...callsIn(element)])

/** What to tell about the processes of other pools, which are not run, and about one that says that it is not to be. */
export const pictures = (definitions: BpmnElement, process: BpmnElement): readonly Finding[] => [
  ...(process.isExecutable === false
    ? [
        {
          elementId: process.id ?? null,
          message: sentence(`${describe(process)} has isExecutable="false", but is run: it is the only one here.`),
        },
      ]
    : []),
  ...(definitions.rootElements ?? [])
    .filter((element) => isA(element, 'Process') && element !== process)
    .filter(isFilled)
    .map((other) => ({
      elementId: other.id ?? null,
      message: sentence(
        other.isExecutable === true
          ? `${describe(other)} is kept as a picture: the template runs ${describe(process)}. To run both, save each as a template.`
          : `${describe(other)} is kept as a picture: the template runs ${describe(process)}.`,
      ),
    })),
]

const isFilled = ({ flowElements = [] }: BpmnElement): boolean =>
  flowElements.some((element) => isA(element, 'FlowNode'))
