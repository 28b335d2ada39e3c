/** A small diagram in the style of another editor, and what becomes of it here. */
export interface ForeignDiagram {
  readonly style: 'camunda 7' | 'zeebe' | 'flowable' | 'plain BPMN'
  readonly name: string
  readonly xml: string
  /** Parts of the warnings that its save gives, in order. */
  readonly warns?: readonly string[]
  /** It can only be a draft: a part of each finding, in order. */
  readonly lacks?: readonly string[]
}

const namespaces = {
  'camunda 7': 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="http://bpmn.io/schema/bpmn"',
  zeebe:
    'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:modeler="http://camunda.org/schema/modeler/1.0" modeler:executionPlatform="Camunda Cloud" targetNamespace="http://bpmn.io/schema/bpmn"',
  flowable:
    'xmlns:flowable="http://flowable.org/bpmn" xmlns:omgdi="http://www.omg.org/spec/DD/20100524/DI" typeLanguage="http://www.w3.org/2001/XMLSchema" expressionLanguage="http://www.w3.org/1999/XPath" targetNamespace="Examples"',
  'plain BPMN': 'xmlns:tns="urn:example" targetNamespace="urn:example"',
} as const
type Style = ForeignDiagram['style']

const definitions = (style: Style, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${namespaces[style]}>${inside}</definitions>`

const flow = (from: string, to: string, condition?: string, attributes = ''): string =>
  `<sequenceFlow sourceRef="${from}" targetRef="${to}">${condition === undefined ? '' : `<conditionExpression xsi:type="tFormalExpression"${attributes}><![CDATA[${condition}]]></conditionExpression>`}</sequenceFlow>`
const extended = (inside: string): string => `<extensionElements>${inside}</extensionElements>`
const process = (elements: string): string => `<process id="P" isExecutable="true">${elements}</process>`
/** One element with the id `t` between a start and an end. */
const around = (element: string): string =>
  process(`<startEvent id="s"/>${flow('s', 't')}${element}${flow('t', 'e')}<endEvent id="e"/>`)
const userTask = (attributes: string, inside = ''): string =>
  around(`<userTask id="t" ${attributes}>${inside}</userTask>`)
/** A gateway that takes one way under a condition, and the other by default. */
const decision = (condition: string, attributes = ''): string =>
  process(
    `<startEvent id="s"/>${flow('s', 'g')}<exclusiveGateway id="g" default="no"/>${flow('g', 'y', condition, attributes)}<sequenceFlow id="no" sourceRef="g" targetRef="n"/><task id="y"/><task id="n"/>`,
  )
const boundaryTimer = (time: string): string =>
  process(
    `<startEvent id="s"/>${flow('s', 't')}<userTask id="t"/>${flow('t', 'e')}<endEvent id="e"/><boundaryEvent id="b" attachedToRef="t" cancelActivity="false"><timerEventDefinition>${time}</timerEventDefinition></boundaryEvent>${flow('b', 'f')}<endEvent id="f"/>`,
  )
const multi = (attributes: string, inside = ''): string =>
  `<multiInstanceLoopCharacteristics ${attributes}>${inside}</multiInstanceLoopCharacteristics>`

const of =
  (style: Style) =>
  (name: string, inside: string, { warns, lacks }: Pick<ForeignDiagram, 'warns' | 'lacks'> = {}): ForeignDiagram => ({
    style,
    name,
    xml: definitions(style, inside),
    ...(warns && { warns }),
    ...(lacks && { lacks }),
  })
const camunda = of('camunda 7')
const zeebe = of('zeebe')
const flowable = of('flowable')
const plain = of('plain BPMN')

const inPools =
  '<collaboration id="C"><participant id="us" processRef="P"/><participant id="bank" name="Bank"/><messageFlow id="m" sourceRef="t" targetRef="bank"/></collaboration>'

/** About ten for each engine, written from their public documentation. */
export const diagramsFromElsewhere: readonly ForeignDiagram[] = [
  camunda(
    'people',
    userTask('camunda:assignee="ada@example.org" camunda:candidateGroups="agent" camunda:priority="50"'),
  ),
  camunda('an assignee of its own user list', userTask('camunda:assignee="demo"'), {
    warns: ['camunda:assignee="demo", which names no user here'],
  }),
  camunda('an assignee by expression', userTask('camunda:assignee="${approver}" camunda:dueDate="${due}"'), {
    warns: [],
  }),
  camunda('a due date by a bean', userTask('camunda:dueDate="${dateTime().plusDays(2).toDate()}"'), {
    warns: ['camunda:dueDate="${dateTime().plusDays(2).toDate()}", which the service cannot evaluate'],
  }),
  camunda(
    'form fields',
    userTask(
      '',
      extended(
        '<camunda:formData><camunda:formField id="amount" label="Amount" type="long" defaultValue="1"><camunda:validation><camunda:constraint name="required"/></camunda:validation></camunda:formField><camunda:formField id="kind" type="enum"><camunda:value id="a" name="A"/></camunda:formField></camunda:formData>',
      ),
    ),
  ),
  camunda('a condition in UEL', decision('${amount > 100 && !approved}')),
  camunda('a condition in words of UEL', decision('#{amount gt 100 and not empty reason}')),
  camunda('a condition of a bean', decision('${checker.isRight(execution)}')),
  camunda('an external task', around('<serviceTask id="t" camunda:type="external" camunda:topic="mail"/>'), {
    warns: ['camunda:type', 'camunda:topic'],
  }),
  camunda('a delegate', around('<serviceTask id="t" camunda:class="org.example.Send" camunda:asyncBefore="true"/>'), {
    warns: ['camunda:class, which means nothing here; use wf:action or wf:script'],
  }),
  camunda(
    'input and output',
    userTask(
      '',
      extended(
        '<camunda:inputOutput><camunda:inputParameter name="sum">${amount + 1}</camunda:inputParameter><camunda:outputParameter name="answer">yes</camunda:outputParameter></camunda:inputOutput>',
      ),
    ),
  ),
  camunda(
    'a collection',
    userTask('camunda:assignee="${one}"', multi('camunda:collection="people" camunda:elementVariable="one"')),
  ),
  camunda(
    'a script in Groovy',
    around('<scriptTask id="t" scriptFormat="groovy"><script>println "a"</script></scriptTask>'),
    {
      warns: ['a script in "groovy", which is not run'],
    },
  ),
  camunda(
    'a script in JavaScript',
    around(
      '<scriptTask id="t" scriptFormat="javascript" camunda:resultVariable="r"><script>execution.setVariable("a", 1); return execution.getVariable("a") + b</script></scriptTask>',
    ),
  ),
  zeebe(
    'people',
    userTask(
      '',
      extended(
        '<zeebe:userTask/><zeebe:assignmentDefinition assignee="=approver" candidateGroups="agent"/><zeebe:taskSchedule dueDate="2026-12-01T09:00:00Z"/><zeebe:priorityDefinition priority="70"/><zeebe:formDefinition formId="approval"/>',
      ),
    ),
  ),
  zeebe('a condition in FEEL', decision('=amount > 100 and not(approved)')),
  zeebe(
    'a job',
    around(`<serviceTask id="t">${extended('<zeebe:taskDefinition type="mail" retries="3"/>')}</serviceTask>`),
    {
      warns: ['<zeebe:taskDefinition>, which means nothing here; use wf:action'],
    },
  ),
  zeebe(
    'input and output',
    userTask(
      '',
      extended(
        '<zeebe:ioMapping><zeebe:input source="=order.sum" target="sum"/><zeebe:output source="=answer" target="decided"/></zeebe:ioMapping>',
      ),
    ),
  ),
  zeebe(
    'a mapping into a part of a variable',
    userTask('', extended('<zeebe:ioMapping><zeebe:output source="=a" target="order.a"/></zeebe:ioMapping>')),
    {
      warns: ['<zeebe:output> of "order.a", which the service cannot evaluate'],
    },
  ),
  zeebe(
    'a collection',
    userTask(
      '',
      multi(
        'isSequential="true"',
        extended(
          '<zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="results" outputElement="=item.a"/>',
        ),
      ),
    ),
  ),
  zeebe(
    'a subscription',
    `<message id="m" name="paid">${extended('<zeebe:subscription correlationKey="=order.id"/>')}</message>${around('<receiveTask id="t" messageRef="m"/>')}`,
  ),
  zeebe(
    'a subscription that cannot be evaluated',
    `<message id="m" name="paid">${extended('<zeebe:subscription correlationKey="=order.("/>')}</message>${around('<receiveTask id="t" messageRef="m"/>')}`,
    { warns: ['correlationKey="=order.(">, which the service cannot evaluate; use wf:correlationKey'] },
  ),
  zeebe('a timer in FEEL', boundaryTimer('<timeDuration>=delay</timeDuration>')),
  zeebe(
    'a call',
    around(
      `<callActivity id="t">${extended('<zeebe:calledElement processId="other" bindingType="deployment" propagateAllChildVariables="false"/><zeebe:ioMapping><zeebe:input source="=amount" target="limit"/><zeebe:output source="=verdict" target="result"/></zeebe:ioMapping>')}</callActivity>`,
    ),
  ),
  camunda(
    'a call',
    around(
      `<callActivity id="t" calledElement="\${which}" camunda:calledElementBinding="version" camunda:calledElementVersion="3">${extended('<camunda:in businessKey="#{execution.processBusinessKey}"/><camunda:in source="amount" target="limit"/><camunda:in sourceExpression="${amount + 1}" target="more"/><camunda:out variables="all"/>')}</callActivity>`,
    ),
    { warns: ['calledElementBinding="version"', 'calledElementVersion="3"'] },
  ),
  flowable(
    'a call',
    around(
      '<callActivity id="t" calledElement="other" flowable:calledElementType="key" flowable:inheritVariables="true"/>',
    ),
  ),
  flowable(
    'people',
    userTask(
      'flowable:candidateUsers="ada@example.org,${owner}" flowable:candidateGroups="agent" flowable:dueDate="P1D" flowable:formKey="f"',
    ),
  ),
  flowable(
    'roles of BPMN',
    userTask(
      '',
      '<humanPerformer><resourceAssignmentExpression><formalExpression>user(ada@example.org)</formalExpression></resourceAssignmentExpression></humanPerformer><potentialOwner><resourceAssignmentExpression><formalExpression>user(7), group(agent), admin</formalExpression></resourceAssignmentExpression></potentialOwner>',
    ),
  ),
  flowable(
    'a performer of its own user list',
    userTask(
      '',
      '<humanPerformer><resourceAssignmentExpression><formalExpression>kermit</formalExpression></resourceAssignmentExpression></humanPerformer>',
    ),
    {
      warns: ['the humanPerformer "kermit", which names no user here'],
    },
  ),
  flowable(
    'a collection by reference',
    userTask(
      '',
      multi('isSequential="false"', '<loopDataInputRef>people</loopDataInputRef><inputDataItem name="one"/>'),
    ),
  ),
  flowable('a method in a condition', decision("${kind.equals('a') || list.size() > 2}")),
  flowable(
    'form properties',
    userTask('', extended('<flowable:formProperty id="days" name="Days" type="long" required="true"/>')),
  ),
  flowable('a repeating timer', boundaryTimer('<timeCycle>R3/PT10S</timeCycle>')),
  flowable(
    'a date with the name of its zone',
    boundaryTimer('<timeDate>2026-12-01T09:00:00+01:00[Europe/Berlin]</timeDate>'),
  ),
  flowable('a timer by cron', boundaryTimer('<timeCycle>0 0 9 ? * MON-FRI</timeCycle>')),
  flowable('a listener', userTask('', extended('<flowable:taskListener event="create" class="org.example.A"/>')), {
    warns: ['<flowable:taskListener>, which means nothing here; use wf:notify or wf:setFields'],
  }),
  flowable(
    'a signal start',
    process(
      `<startEvent id="s"><signalEventDefinition signalRef="sig"/></startEvent>${flow('s', 'e')}<endEvent id="e"/>`,
    ) + '<signal id="sig" name="go"/>',
  ),
  camunda(
    'conditions out of a start',
    process(
      `<startEvent id="s" camunda:initiator="starter"/>${flow('s', 'a', '${amount > 1}')}${flow('s', 't', '${amount <= 1}')}<task id="a"/><userTask id="t" camunda:assignee="\${starter}"/>`,
    ),
  ),
  camunda(
    'an error that does not interrupt',
    around(
      `<userTask id="t"/><boundaryEvent id="b" attachedToRef="t" cancelActivity="false"><errorEventDefinition/></boundaryEvent>${flow('b', 'f')}<endEvent id="f"/>`,
    ),
    { warns: ['catches an error, which always interrupts: cancelActivity="false" is ignored'] },
  ),
  camunda(
    'one flow without a condition',
    process(
      `<startEvent id="s"/>${flow('s', 'g')}<exclusiveGateway id="g"/>${flow('g', 'a', '${amount > 1}')}${flow('g', 'b')}<task id="a"/><task id="b"/>`,
    ),
    { warns: ['is read as the default flow of the exclusive gateway "g"'] },
  ),
  camunda(
    'a task that no flow leads to',
    around(
      `<userTask id="t"/><userTask id="lost"/><boundaryEvent id="b" attachedToRef="lost"><errorEventDefinition errorRef="none"/></boundaryEvent>${flow('b', 'e')}${flow('lost', 'e')}`,
    ),
    { warns: ['The user task "lost" is left out: no flow leads to it from the start'] },
  ),
  camunda(
    'a handler of a compensation that a flow leaves',
    around(
      `<userTask id="t"/><boundaryEvent id="b" attachedToRef="t"><compensateEventDefinition/></boundaryEvent><association sourceRef="b" targetRef="undo"/><userTask id="undo" isForCompensation="true"/>${flow('undo', 'f')}<endEvent id="f"/>`,
    ),
    {
      warns: [
        'is left out: the user task "undo" is for compensation',
        'The end event "f" is left out: no flow leads to it',
      ],
    },
  ),
  camunda(
    'a start at a time that a bean says',
    process(
      `<startEvent id="s"><timerEventDefinition><timeCycle>\${clock.cycle()}</timeCycle></timerEventDefinition></startEvent>${flow('s', 't')}<task id="t"/>`,
    ),
    { warns: ['has the time "${clock.cycle()}", which cannot be evaluated before there is an instance'] },
  ),
  camunda(
    'a start by a condition',
    process(
      `<startEvent id="s"><conditionalEventDefinition><condition>\${amount > 1}</condition></conditionalEventDefinition></startEvent>${flow('s', 't')}<task id="t"/>`,
    ),
    { warns: ['has the condition "${amount > 1}", which nobody evaluates before there is an instance'] },
  ),
  camunda('a case', around('<callActivity id="t" camunda:caseRef="claim" camunda:caseBinding="latest"/>'), {
    warns: ['camunda:caseRef="claim", and cases are not run here: it stops there'],
  }),
  camunda('a condition in a file', decision('', ' language="groovy" camunda:resource="org/example/large.groovy"'), {
    warns: ['has the expression of the file "org/example/large.groovy", which is not run: it stops there'],
  }),
  camunda(
    'an event gateway with one flow',
    process(
      `<startEvent id="s"/>${flow('s', 'g')}<eventBasedGateway id="g"/>${flow('g', 't')}<intermediateCatchEvent id="t">${extended('<camunda:inputOutput><camunda:inputParameter name="x">1</camunda:inputParameter><camunda:outputParameter name="seen">yes</camunda:outputParameter></camunda:inputOutput>')}<conditionalEventDefinition><condition>\${var == 1}</condition></conditionalEventDefinition></intermediateCatchEvent>`,
    ),
    { warns: ['has an input "x", which such an event cannot have here'] },
  ),
  zeebe('a repetition in FEEL', boundaryTimer('<timeCycle>=cycle(3, duration("PT1H"))</timeCycle>')),
  zeebe('a name that may be undefined', decision('=is defined(order.sum) and not(is defined(reason))')),
  zeebe('a condition that FEEL here does not read', decision('=some x in orders satisfies x > 1'), {
    warns: ['has the expression "=some x in orders satisfies x > 1", which is not run: it stops there'],
  }),
  zeebe(
    'a start in FEEL',
    process(
      `<startEvent id="s"><timerEventDefinition><timeDate>=date and time("2036-01-01T00:00:00Z")</timeDate></timerEventDefinition></startEvent>${flow('s', 't')}<task id="t"/>`,
    ),
  ),
  zeebe(
    'a script',
    around(
      `<scriptTask id="t">${extended('<zeebe:script expression="=amount * 2" resultVariable="twice"/>')}</scriptTask>`,
    ),
  ),
  zeebe(
    'a list as the collection',
    userTask(
      '',
      multi('', extended('<zeebe:loopCharacteristics inputCollection="=[{&quot;a&quot;: 1}]" inputElement="item"/>')),
    ),
  ),
  zeebe(
    'a collection that FEEL here does not read',
    userTask(
      '',
      multi('', extended('<zeebe:loopCharacteristics inputCollection="=for x in 1..3 return x" inputElement="item"/>')),
    ),
    { warns: ['inputCollection="=for x in 1..3 return x">, which the service cannot evaluate: it stops there'] },
  ),
  zeebe(
    'names in FEEL',
    `<message id="m" name="=&quot;paid&quot;"/><message id="n" name="=&quot;paid-&quot; + no"/>${process(`<startEvent id="s"/>${flow('s', 't')}<receiveTask id="t" messageRef="m"/>${flow('t', 'u')}<receiveTask id="u" messageRef="n"/>`)}`,
    { warns: ['has the name "="paid-" + no", which is not evaluated: it is that text'] },
  ),
  flowable(
    'data with a value',
    process(
      `<dataObject id="d" name="limit" itemSubjectRef="xsd:int">${extended('<flowable:value>3</flowable:value>')}</dataObject><startEvent id="s"/>${flow('s', 't')}<task id="t"/>`,
    ),
  ),
  flowable(
    'signals by expression',
    process(
      `<startEvent id="s"/>${flow('s', 't')}<intermediateCatchEvent id="t"><signalEventDefinition flowable:signalExpression="\${'paid'}"/></intermediateCatchEvent>${flow('t', 'u')}<intermediateCatchEvent id="u"><signalEventDefinition flowable:signalExpression="\${which}"/></intermediateCatchEvent>`,
    ),
    { warns: ['signalExpression="${which}", which is not evaluated: the name is that of the event instead'] },
  ),
  flowable('who has started it', userTask('flowable:assignee="$INITIATOR"')),
  flowable(
    'a repetition with an end',
    boundaryTimer('<timeCycle flowable:endDate="${due}">R5/PT10S</timeCycle>').replace(
      '</process>',
      `<boundaryEvent id="b2" attachedToRef="t" cancelActivity="false"><timerEventDefinition><timeCycle>R5/PT10S/\${date:format(due)}</timeCycle></timerEventDefinition></boundaryEvent>${flow('b2', 'f')}</process>`,
    ),
    { warns: ['"b" repeats until "${due}", which is not read', '"b2" repeats until "${date:format(due)}"'] },
  ),
  flowable(
    'an inclusive gateway with flows that it always takes',
    process(
      `<startEvent id="s"/>${flow('s', 'g')}<inclusiveGateway id="g"/>${flow('g', 'a')}${flow('g', 'b', '${false}')}<task id="a"/><task id="b"/>`,
    ),
    { warns: ['has no condition, so the inclusive gateway "g" always takes it'] },
  ),
  plain(
    'no ids, no events',
    '<process isExecutable="true"><userTask id="a"/><userTask id="b"/><sequenceFlow sourceRef="tns:a" targetRef="tns:b"/></process>',
  ),
  plain('pools and message flows', inPools + around('<userTask id="t"/>')),
  plain('a process that is not marked', around('<manualTask id="t"/>').replace(' isExecutable="true"', '')),
  plain(
    'a resource',
    '<resource id="r" name="agent"/>' +
      userTask('', '<potentialOwner><resourceRef>tns:r</resourceRef></potentialOwner>'),
  ),
  plain(
    'an event definition elsewhere',
    `<timerEventDefinition id="day"><timeDuration>P1D</timeDuration></timerEventDefinition>${process(
      `<startEvent id="s"/>${flow('s', 't')}<intermediateCatchEvent id="t"><eventDefinitionRef>tns:day</eventDefinitionRef></intermediateCatchEvent>${flow('t', 'u')}<intermediateCatchEvent id="u"><eventDefinitionRef>day</eventDefinitionRef></intermediateCatchEvent>`,
    )}`,
  ),
  plain(
    'conditions after a parallel gateway',
    process(
      `<startEvent id="s"/>${flow('s', 'g')}<parallelGateway id="g"/>${flow('g', 'a', 'false')}${flow('g', 'b')}<task id="a"/><task id="b"/>`,
    ),
    { warns: ['is ignored: the parallel gateway "g" takes every flow'] },
  ),
  plain(
    'a condition of a default flow',
    decision('record.id > 1').replace(
      'sourceRef="g" targetRef="n"/>',
      'sourceRef="g" targetRef="n"><conditionExpression>x</conditionExpression></sequenceFlow>',
    ),
    { warns: ['is ignored: it is the default flow'] },
  ),
  plain(
    'a gateway without conditions',
    process(
      `<startEvent id="s"/>${flow('s', 'g')}<exclusiveGateway id="g"/>${flow('g', 'a')}${flow('g', 'b')}<task id="a"/><task id="b"/>`,
    ),
    { lacks: ['each but the default needs a condition'] },
  ),
  plain(
    'two start events',
    process(`<startEvent id="s"/><startEvent id="s2"/>${flow('s', 'a')}${flow('s2', 'a')}<task id="a"/>`),
    {
      lacks: ['can have one start event only'],
    },
  ),
  plain('a condition in words', decision('Is it approved?'), { lacks: ['condition'] }),
]
