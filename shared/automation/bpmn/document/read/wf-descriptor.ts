import { bpmnName, loopElements, nodeElements } from '../../elements/registry.ts'

interface Property {
  readonly name: string
  readonly type: string
  readonly isAttr?: true
  readonly isBody?: true
  readonly isMany?: true
  readonly default?: string
}

interface Type {
  readonly name: string
  readonly extends?: readonly string[]
  readonly superClass?: readonly string[]
  /** The elements in which a modeler offers this one. */
  readonly meta?: { readonly allowedIn: readonly string[] }
  readonly properties: readonly Property[]
}

const attributes = (...names: string[]): Property[] => names.map((name) => ({ name, isAttr: true, type: 'String' }))
const flag = (name: string): Property => ({ name, isAttr: true, type: 'Boolean' })
const attribute = (name: string, value: string): Property => ({ name, isAttr: true, type: 'String', default: value })
const many = (name: string, type: string): Property => ({ name, isMany: true, type })
const body: Property = { name: 'body', isBody: true, type: 'String' }

/** The types that elements add their attributes to, and which elements those are. */
const attributeTypes = (): Type[] =>
  [...Map.groupBy([...nodeElements, ...loopElements], ({ attributes: added }) => added)].flatMap(([added, users]) =>
    added === undefined
      ? []
      : {
          name: added.name,
          extends: users.map(({ type }) => `bpmn:${bpmnName(type)}`),
          properties: attributes(...added.names),
        },
  )

/** An element that other elements of ours hold, or nodes. */
const element = (name: string, inside: readonly string[], properties: readonly Property[]): Type => ({
  name,
  superClass: ['Element'],
  meta: {
    allowedIn: [
      ...nodeElements.flatMap(({ type, holds }) =>
        holds?.some((held) => held === name) ? `bpmn:${bpmnName(type)}` : [],
      ),
      ...inside,
    ],
  },
  properties,
})

const types: readonly Type[] = [
  {
    name: 'ProcessProps',
    extends: ['bpmn:Process'],
    properties: [...attributes('table', 'startCondition'), flag('autoStart')],
  },
  { name: 'ShownProps', extends: ['bpmn:Process', 'bpmn:FlowNode'], properties: attributes('shown') },
  ...attributeTypes(),
  {
    name: 'CorrelationProps',
    extends: ['bpmn:Message', 'bpmn:CatchEvent', 'bpmn:ThrowEvent', 'bpmn:ReceiveTask', 'bpmn:SendTask'],
    properties: attributes('correlationKey'),
  },
  element(
    'CompleteOn',
    [],
    [
      attribute('match', 'all'),
      ...attributes('outcome'),
      many('conditions', 'FieldCondition'),
      many('groups', 'ConditionGroup'),
      { name: 'expression', type: 'Expression' },
    ],
  ),
  element('ConditionGroup', ['wf:CompleteOn'], [attribute('match', 'all'), many('conditions', 'FieldCondition')]),
  element(
    'FieldCondition',
    ['wf:CompleteOn', 'wf:ConditionGroup'],
    [...attributes('field', 'value'), attribute('op', 'eq')],
  ),
  element('Expression', ['wf:CompleteOn'], [body]),
  element('Form', [], [many('fields', 'FormField')]),
  element(
    'FormField',
    ['wf:Form'],
    [
      ...attributes('name', 'label', 'bind', 'default', 'options', 'scale'),
      attribute('type', 'text'),
      flag('required'),
      flag('readonly'),
      many('choices', 'Option'),
    ],
  ),
  element('Option', ['wf:FormField'], attributes('value')),
  element('SetFields', [], [...attributes('on'), many('sets', 'Set')]),
  element('CreateRecord', [], [...attributes('table', 'resultVariable'), many('sets', 'Set')]),
  element('Set', ['wf:SetFields', 'wf:CreateRecord'], [...attributes('field', 'value'), body]),
  element('Notify', [], [...attributes('on', 'channel', 'to', 'template', 'title', 'text'), body]),
  element('Script', [], [body]),
  element('In', [], [...attributes('source', 'target', 'value', 'variables'), body]),
  element('Out', [], [...attributes('source', 'target', 'value', 'variables'), body]),
]

/**
 * The moddle descriptor of the `wf:` namespace, used by our reader, by modelers (bpmn-js: `moddleExtensions: { wf }`)
 * and answered by `GET /api/sys/process-templates/schema`, which adds `wf:complete_on_field_<field>` for the fields of a
 * table.
 */
export const wfDescriptor = {
  name: 'Entity workflow',
  uri: 'urn:entity-workflow:wf:1',
  prefix: 'wf',
  xml: { tagAlias: 'lowerCase' },
  types,
} as const

/** The `wf:` attributes of BPMN elements, without their prefix. */
export const wfAttributes: ReadonlySet<string> = new Set(
  types.filter((type) => type.extends !== undefined).flatMap(({ properties }) => properties.map(({ name }) => name)),
)

/** For each `wf:` element, the elements that may contain it. */
export const wfElements: ReadonlyMap<string, readonly string[]> = new Map(
  types.flatMap(({ name, meta }) => (meta === undefined ? [] : [[`wf:${name}`, meta.allowedIn] as const])),
)
