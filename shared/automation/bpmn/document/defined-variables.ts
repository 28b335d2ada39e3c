import { memberWrites } from '../../../scripts/source/member-writes.ts'
import type { CompiledProcess } from '../shapes/compiled-process.ts'

/** The variables that the engine gives by itself, some of them in loops and gateways only. */
export const givenVariables = [
  'outcome',
  'activationCount',
  'waitingForStart',
  'loopCounter',
  'numberOfInstances',
  'numberOfActiveInstances',
  'numberOfCompletedInstances',
  'numberOfTerminatedInstances',
  'nrOfInstances',
  'nrOfActiveInstances',
  'nrOfCompletedInstances',
] as const

/** How scripts of other engines set a variable. */
const setByName = /\bexecution\s*\.\s*setVariable\(\s*['"]([\w$]+)['"]/g

/** The variables that a process gets from its forms, work, mappings, scripts and timers, when it comes to them. */
export const definedVariables = ({
  tasks,
  work,
  mappings = {},
  starts = [],
  startVariables: { initiators, values } = { initiators: [], values: {} },
}: Pick<CompiledProcess, 'tasks' | 'work' | 'mappings' | 'starts' | 'startVariables'>): string[] => [
  ...initiators,
  ...Object.keys(values),
  ...(starts.some(({ triggers }) => triggers.some(({ on }) => on === 'timer')) ? ['timer'] : []),
  ...Object.values(tasks).flatMap(({ form }) => form.flatMap(({ name, bind }) => (bind === undefined ? [name] : []))),
  ...Object.values(work).flatMap((definition) => [
    ...('resultVariable' in definition && definition.resultVariable !== undefined ? [definition.resultVariable] : []),
    ...(definition.kind === 'script'
      ? [
          ...memberWrites(definition.script, 'variables'),
          ...[...definition.script.matchAll(setByName)].flatMap(([, name]) => name ?? []),
        ]
      : []),
  ]),
  ...Object.values(mappings).flatMap((mapping) => [...mapping.in, ...mapping.out].map(({ target }) => target)),
]
