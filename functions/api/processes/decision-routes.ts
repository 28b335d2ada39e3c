import {
  DecisionAnswer,
  DecisionChange,
  DecisionHead,
  DecisionInput,
  DecisionParams,
  DecisionView,
  EvaluateAnswer,
  EvaluateBody,
  ReplayAccepted,
  ReplayAnswer,
  ReplayBody,
} from '../../../shared/automation/decisions/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'

const shared = { tag: 'Decisions', permission: administrator } as const
const single = '/api/sys/decisions/{id}'

const dmnXml = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="response_time_definitions" name="Response time" namespace="urn:entity-workflow:decisions">
  <decision id="response_time" name="Response time">
    <decisionTable hitPolicy="UNIQUE">
      <input label="Priority"><inputExpression typeRef="integer"><text>priority</text></inputExpression></input>
      <output name="hours" typeRef="number" />
      <output name="escalate" typeRef="boolean" />
      <rule id="urgent"><inputEntry><text>&gt;= 4</text></inputEntry><outputEntry><text>4</text></outputEntry><outputEntry><text>true</text></outputEntry></rule>
      <rule id="usual"><inputEntry><text>[2..3]</text></inputEntry><outputEntry><text>24</text></outputEntry><outputEntry><text>false</text></outputEntry></rule>
      <rule id="low"><inputEntry><text>&lt; 2</text></inputEntry><outputEntry><text>72</text></outputEntry><outputEntry><text>false</text></outputEntry></rule>
    </decisionTable>
  </decision>
</definitions>
`
const head = {
  id: 1,
  code: 'response_time',
  name: 'Response time',
  inputs: [{ name: 'priority', type: 'number' }],
  ...exampleTimes,
  version: 1,
}
const decision = { ...head, dmn_xml: dmnXml }
const first = { params: { id: 'response_time' } }
const created = { code: 'reply_time', name: 'Reply time', dmn_xml: dmnXml }

export const decisionObjectRoutes = objectRoutes({
  path: '/api/sys/decisions',
  tag: 'Decisions',
  called: { one: 'decision', many: 'decisions' },
  answer: DecisionAnswer,
  input: DecisionInput,
  change: DecisionChange,
  params: DecisionParams,
  says: {
    list: {
      description: 'Newest first, without their documents.',
      query: listQuery(DecisionHead),
      answer: DecisionHead,
      example: { answer: [head] },
    },
    create: {
      description:
        'A DMN document with decision tables and literal expressions in FEEL. A cell that cannot be read, rules of a UNIQUE table that overlap, and whatever the service does not evaluate are 422 and named by rule and column; `warnings` names rules that are never reached. A code that is in use is 409.',
    },
    get: {
      description: 'With the document of its current version, or with `version=n` of a former one.',
      query: DecisionView,
    },
    change: {
      description:
        'Members that are left out stay. Every change makes a version, and former ones can still be read and evaluated. Processes evaluate the latest one unless they say `wf:version="pinned"`. The code of a decision that a process names cannot be changed. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'Refused (422, `in_use`) while a process names it.' },
  },
  examples: {
    create: { body: created, answer: { ...decision, ...created, id: 2 } },
    stored: decision,
    change: { name: 'Time to respond' },
    id: 'response_time',
  },
})

export const evaluateDecision = defineRoute({
  ...shared,
  method: 'POST',
  path: `${single}/evaluate`,
  summary: 'Evaluate a decision',
  description:
    'The body has the inputs by their names; one that is left out is null, and one that the decision does not have is 422. It has no result (422, naming the rule) when rules match that may not match together, and when a value has another type than its column. Dates, times and durations are texts in ISO 8601.',
  params: DecisionParams,
  query: DecisionView,
  body: EvaluateBody,
  answer: EvaluateAnswer,
  example: {
    ...first,
    body: { priority: 5 },
    answer: { result: { hours: 4, escalate: true }, rules: ['urgent'] },
  },
})

export const replayDecision = defineRoute({
  ...shared,
  method: 'POST',
  path: `${single}/replay`,
  summary: 'Replay a decision over records',
  description:
    'Evaluates the decision for the newest records of a table that match, and answers what each rule would have matched, which records no rule matches, and for which it fails. With `dmn_xml` a candidate is evaluated beside it, and the records are listed for which it answers something else. Nothing is written. It ends after ten seconds: `is_complete` says whether every record was evaluated. With a `limit` over 1,000, and more records that match, a job does it: 202 `{ job_id }`, and the `result` of the job is the same answer, with its long results cut.',
  params: DecisionParams,
  body: ReplayBody,
  answer: ReplayAnswer,
  accepted: ReplayAccepted,
  example: {
    ...first,
    body: { model: 'requests', filter: { id: 1 }, mapping: { priority: 'priority' } },
    answer: {
      version: 1,
      total: 1,
      evaluated: 1,
      is_complete: true,
      rules: [
        { id: 'urgent', matched: 1, records: [1] },
        { id: 'usual', matched: 0, records: [] },
        { id: 'low', matched: 0, records: [] },
      ],
      no_match: { count: 0, records: [] },
      failed: { count: 0, records: [] },
      results: [{ result: { hours: 4, escalate: true }, count: 1 }],
    },
  },
})

export const decisionRoutes: readonly Route[] = [
  ...Object.values(decisionObjectRoutes),
  evaluateDecision,
  replayDecision,
]
