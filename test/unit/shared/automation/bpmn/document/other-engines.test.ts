import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { triggersOf } from '../../../../../../shared/automation/bpmn/engine/graph-of.ts'

const namespaces = {
  camunda: 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
  'old camunda': 'xmlns:camunda="http://camunda.org/bpmn"',
  none: '',
} as const

/** A process of another engine with one element `t` between its start and its end. */
const around = (element: string, style: keyof typeof namespaces = 'camunda', beside = '', roots = ''): string =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${namespaces[style]} targetNamespace="x">${roots}<process id="p"><startEvent id="s"/><sequenceFlow sourceRef="s" targetRef="t"/>${element}<sequenceFlow sourceRef="t" targetRef="e"/><endEvent id="e"/>${beside}</process></definitions>`

const compiled = async (xml: string) => {
  const result = await compileProcess(xml)
  if ('findings' in result) throw new Error(JSON.stringify(result.findings))
  return { ...result, messages: result.warnings.map(({ message }) => message) }
}
const findings = async (xml: string) => {
  const result = await compileProcess(xml)
  return 'findings' in result ? result.findings.map(({ message }) => message) : []
}
const mapping = (inside: string): string =>
  `<userTask id="t"><extensionElements><camunda:inputOutput>${inside}</camunda:inputOutput></extensionElements></userTask>`

describe('scripts and expressions of other engines', () => {
  it.each(['camunda', 'old camunda', 'none'] as const)(
    'are left out with a warning when they are not JavaScript: namespace %s',
    async (style) => {
      const { process, messages } = await compiled(
        around('<scriptTask id="t" scriptFormat="groovy"><script>def a = 1</script></scriptTask>', style),
      )
      expect(process.work.t).toEqual({ kind: 'none' })
      expect(messages).toEqual([expect.stringContaining('a script in "groovy", which is not run')])
    },
  )

  it('are refused in another language where the words of the service are used', async () => {
    const xml = around('<scriptTask id="t" scriptFormat="groovy"><script>a = 1</script></scriptTask>', 'none')
    expect(await findings(xml.replace('<definitions', '$& xmlns:wf="urn:entity-workflow:wf:1"'))).toEqual([
      expect.stringContaining('scripts are JavaScript'),
    ])
  })

  it('answer the value of their last statement', async () => {
    const script = '<script>var sum = a + b; sum * 2</script>'
    const { process } = await compiled(
      around(`<scriptTask id="t" scriptFormat="javascript" camunda:resultVariable="r">${script}</scriptTask>`),
    )
    expect(process.work.t).toMatchObject({ script: expect.stringMatching(/; return sum \* 2$/), resultVariable: 'r' })
  })

  it('print into the log', async () => {
    const script = '<scriptTask id="t" scriptFormat="javascript"><script>print("a")</script></scriptTask>'
    const { process } = await compiled(around(script))
    expect(process.work.t).toMatchObject({
      script: expect.stringMatching(/^const print = .*\$api\.log.*print\("a"\)$/),
    })
  })

  it('say that they use Java', async () => {
    const script = '<scriptTask id="t" scriptFormat="javascript"><script>Packages.org.Some.run()</script></scriptTask>'
    expect((await compiled(around(script))).messages).toEqual([expect.stringContaining('uses Java (Packages)')])
  })

  it.each([
    [
      '#{a + 1}',
      'camunda:resultVariable="r"',
      { script: expect.stringContaining('return a + 1'), resultVariable: 'r' },
    ],
    ["${execution.setVariable('b', a)}", '', { script: expect.stringContaining('variables.b = a') }],
    ['${true}', '', { kind: 'none' }],
  ])('of service tasks are scripts: %s', async (expression, attributes, work) => {
    const { process, messages } = await compiled(
      around(`<serviceTask id="t" camunda:expression="${expression}" ${attributes}/>`),
    )
    expect([process.work.t, messages]).toEqual([expect.objectContaining(work), []])
  })

  it('leave out what only the engine knows', async () => {
    const task = '<serviceTask id="t" camunda:expression="${execution.parent.id}" camunda:resultVariable="r"/>'
    expect((await compiled(around(task))).messages).toEqual([expect.stringContaining('cannot evaluate')])
  })

  it('of service tasks that call Java do nothing, and say so once', async () => {
    const { process, messages } = await compiled(
      around('<serviceTask id="t" camunda:expression="${bean.run(a)}" camunda:resultVariable="r"/>'),
    )
    expect(process.work.t).toEqual({ kind: 'none' })
    expect(messages).toEqual([
      'The service task "t" has camunda:expression="${bean.run(a)}", which the service cannot evaluate: the task does nothing; use wf:script.',
    ])
  })

  it.each([
    ['groovy', 'amount == 1 || amount > 5', 'amount == 1 || amount > 5'],
    ['python', 'urgent and not late', 'urgent && !late'],
  ])('in %s are read as conditions where they mean the same', async (language, condition, source) => {
    const gateway = `<exclusiveGateway id="t" default="d"/><sequenceFlow id="c" sourceRef="t" targetRef="e"><conditionExpression xsi:type="tFormalExpression" language="${language}"><![CDATA[${condition}]]></conditionExpression></sequenceFlow>`
    const xml = around(gateway).replace('<sequenceFlow sourceRef="t"', '<sequenceFlow id="d" sourceRef="t"')
    expect((await compiled(xml)).conditions).toEqual([{ elementId: 'c', source }])
  })

  it.each(['${(amount > 1)}', '(amount > 1)', '${(a || b) && (c)}'])('may be in brackets: %s', async (condition) => {
    const xml = around('<task id="t"/>').replace(
      '<sequenceFlow sourceRef="t" targetRef="e"/>',
      `<sequenceFlow sourceRef="t" targetRef="e"><conditionExpression><![CDATA[${condition}]]></conditionExpression></sequenceFlow>`,
    )
    expect(await findings(xml)).toEqual([])
  })
})

describe('variables of other engines', () => {
  it('are lists, maps and scripts in JavaScript', async () => {
    const { process, messages } = await compiled(
      around(
        mapping(
          `<camunda:inputParameter name="list"><camunda:list><camunda:value>a</camunda:value><camunda:value>\${b + 1}</camunda:value></camunda:list></camunda:inputParameter>
          <camunda:inputParameter name="map"><camunda:map><camunda:entry key="k">v</camunda:entry><camunda:entry key="l"><camunda:list/></camunda:entry></camunda:map></camunda:inputParameter>
          <camunda:outputParameter name="sum"><camunda:script scriptFormat="javascript">1 + 1;</camunda:script></camunda:outputParameter>`,
        ),
      ),
    )
    expect([process.mappings?.t, messages]).toEqual([
      {
        in: [
          { target: 'list', value: '["a", (b + 1)]' },
          { target: 'map', value: '({ "k": "v", "l": [] })' },
        ],
        out: [{ target: 'sum', value: '1 + 1' }],
      },
      [],
    ])
  })

  it.each([
    '<camunda:script scriptFormat="groovy">1</camunda:script>',
    '<camunda:script scriptFormat="javascript">var a = 1; a</camunda:script>',
    '<camunda:list><camunda:value>${bean.get()}</camunda:value></camunda:list>',
  ])('are told when they cannot be evaluated: %s', async (inside) => {
    const { process, messages } = await compiled(
      around(mapping(`<camunda:inputParameter name="v">${inside}</camunda:inputParameter>`)),
    )
    expect(process.mappings).toBeUndefined()
    expect(messages).toEqual([expect.stringContaining('<camunda:inputParameter> of "v"')])
  })

  it('that Java would collect are kept, and told', async () => {
    const loop = '<multiInstanceLoopCharacteristics camunda:collection="${bean.all(execution)}"/>'
    const { conditions, messages } = await compiled(around(`<userTask id="t">${loop}</userTask>`))
    expect(conditions).toEqual([{ elementId: 't', source: 'bean.all(execution)' }])
    expect(messages).toEqual([expect.stringContaining('it stops there; use wf:collection')])
  })
})

describe('events of other engines', () => {
  const border = (definition: string) =>
    around('<task id="t"/>', 'camunda', `<boundaryEvent id="b" attachedToRef="t">${definition}</boundaryEvent>`)

  it.each(['no_budget', 'err'])('may name an error by its code, or by its id: %s', async (ref) => {
    const error = '<error id="err" errorCode="no_budget"/>'
    const xml = border(`<errorEventDefinition errorRef="${ref}"/>`).replace('<process', `${error}<process`)
    expect(triggersOf((await compiled(xml)).process, 'b')).toEqual([{ on: 'error', code: 'no_budget' }])
  })

  it('may name an error that is declared nowhere', async () => {
    const xml = border('<errorEventDefinition errorRef="late"/>')
    expect(triggersOf((await compiled(xml)).process, 'b')).toEqual([{ on: 'error', code: 'late' }])
    expect(await findings(xml.replace(namespaces.camunda, ''))).toEqual([expect.stringContaining('does not exist')])
  })

  it('repeat without R/, and once in the flow', async () => {
    const timer = (cycle: string) => `<timerEventDefinition><timeCycle>${cycle}</timeCycle></timerEventDefinition>`
    expect((await compiled(border(timer('PT6H')))).messages).toEqual([])
    const waits = await compiled(around(`<intermediateCatchEvent id="t">${timer('R3/PT1H')}</intermediateCatchEvent>`))
    expect(waits.messages).toEqual([expect.stringContaining('waits once')])
  })

  it('may give the time of a start as a text in an expression', async () => {
    const xml = around('<task id="t"/>').replace(
      '<startEvent id="s"/>',
      `<startEvent id="s"><timerEventDefinition><timeDate>\${'2036-11-14T11:12:22'}</timeDate></timerEventDefinition></startEvent>`,
    )
    expect((await compiled(xml)).process.starts?.[0]?.triggers[0]).toMatchObject({ value: '2036-11-14T11:12:22' })
  })
})

describe('several processes in a document', () => {
  const task = (id: string): string => `<task id="${id}"/>`
  const pools = (...processes: (readonly [id: string, attributes: string, inside: string])[]): string =>
    `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">${processes
      .map(([id, attributes, inside]) => `<process id="${id}" ${attributes}>${inside}</process>`)
      .join('')}</definitions>`
  const yes = 'isExecutable="true"'
  const no = 'isExecutable="false"'

  it.each([
    [
      'the first of those that are executable',
      [
        ['a', yes, task('x')],
        ['b', yes, task('y')],
      ],
      'a',
      ['save each'],
    ],
    [
      'the one that calls the other',
      [
        ['a', yes, task('x')],
        ['b', yes, '<callActivity id="y" calledElement="a"/>'],
      ],
      'b',
      ['save each'],
    ],
    [
      'the first of those that are not marked',
      [
        ['a', '', task('x')],
        ['b', '', task('y')],
      ],
      'a',
      ['"b" is kept as a picture'],
    ],
    [
      'the only one, whatever it says of itself',
      [
        ['a', no, task('x')],
        ['b', '', ''],
      ],
      'a',
      ['isExecutable="false", but is run'],
    ],
  ] as const)('are %s, with a warning', async (_, processes, id, warned) => {
    const { process, messages } = await compiled(pools(...processes))
    expect([process.processId, messages]).toEqual([id, warned.map((part) => expect.stringContaining(part))])
  })
})

describe('extension elements of Flowable', () => {
  const flowable = (inside: string): string =>
    inside.replace(namespaces.camunda, 'xmlns:flowable="http://flowable.org/bpmn"')
  const extended = (inside: string): string => `<extensionElements>${inside}</extensionElements>`

  it('name events of its registry, which are messages', async () => {
    const waits = extended('<flowable:eventType>paid</flowable:eventType>')
    for (const type of ['receiveTask', 'intermediateCatchEvent']) {
      const { process, messages } = await compiled(flowable(around(`<${type} id="t">${waits}</${type}>`)))
      expect(triggersOf(process, 't')).toEqual([{ on: 'message', name: 'paid' }])
      expect(messages).toEqual([expect.stringContaining('read as the message')])
    }
  })

  it('wait for a variable, which is a condition', async () => {
    const waits = extended('<flowable:variableListenerEventDefinition variableName="v"/>')
    const xml = flowable(around(`<intermediateCatchEvent id="t">${waits}</intermediateCatchEvent>`))
    expect(triggersOf((await compiled(xml)).process, 't')).toEqual([
      { on: 'conditional', condition: 'variables.v != null' },
    ])
  })

  it('hold the expression of a collection', async () => {
    const loop = `<multiInstanceLoopCharacteristics>${extended('<flowable:collection><flowable:expression>${list}</flowable:expression></flowable:collection>')}</multiInstanceLoopCharacteristics>`
    const { conditions } = await compiled(flowable(around(`<userTask id="t">${loop}</userTask>`)))
    expect(conditions).toEqual([{ elementId: 't', source: 'list' }])
  })

  it.each([
    ['scriptFormat="juel"', '${a + 1}', 'return a + 1'],
    ['', '#{a}', 'return a'],
  ])('keep the result of an expression as a script: %s', async (format, script, source) => {
    const xml = flowable(
      around(`<scriptTask id="t" ${format} flowable:resultVariable="r"><script>${script}</script></scriptTask>`),
    )
    expect((await compiled(xml)).process.work.t).toMatchObject({
      script: expect.stringContaining(source),
      resultVariable: 'r',
    })
  })

  it('name several groups in one expression', async () => {
    const xml = flowable(around(`<userTask id="t" flowable:candidateGroups="\${'agent, admin'}"/>`))
    expect((await compiled(xml)).process.tasks.t?.candidateRoles).toEqual(['agent', 'admin'])
  })
})
