/** The shapes of the API of processes, each kept beside what answers it. */
export {
  DescriptorQuery,
  TemplateAnswer,
  TemplateChange,
  TemplateHead,
  TemplateInput,
  TemplateView,
  codePattern,
} from './templates/schema.ts'
export {
  BeginBody,
  CancelBody,
  CancelledProcess,
  type DecisionShown,
  IncidentAnswer,
  IncidentQuery,
  InstanceAnswer,
  InstanceHead,
  InstanceQuery,
  MigratedAnswer,
  StartBody,
  StartableProcess,
} from './instances/schema.ts'
export { CompleteBody, DelegateBody, ReassignBody, TaskAnswer, TaskChangeBody, TaskQuery } from './tasks/schema.ts'
export { ProcessMessageAnswer, ProcessMessageBody, ProcessSignalAnswer, ProcessSignalBody } from './events/schema.ts'
export {
  BulkBody,
  FiguresAnswer,
  MigrateBody,
  ModifyBody,
  OperationAnswer,
  VariablesBody,
} from './operations/schema.ts'
