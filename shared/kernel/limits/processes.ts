/** The XML of a template. */
export const maxXmlCharacters = 1024 * 1024
/** The same, in bytes. */
export const maxXmlBytes = 1_000_000
/** A template as it is stored, compressed. An item holds 400 KB. */
export const maxTemplateVersionBytes = 380 * 1024
/** Sub-processes in each other. */
export const maxSubProcessDepth = 20
/** Tasks, events and gateways of a process. Bounds recursion over a process, and its size: every step of an instance reads all of it. */
export const maxNodes = 1_000
/** Findings of a template that the answer lists. */
export const maxFindings = 100
/** The message of a finding. A broken document of a megabyte could have very many findings and quote all of itself. */
export const maxFindingCharacters = 600
/** The id of an element in a finding. Ids are part of keys, whose length is limited. */
export const maxElementIdCharacters = 100
/** The variables of an instance. The limit of the variables in one request. Larger data belongs in a record. */
export const maxVariableBytes = 64 * 1024
/** Activities that begin in one step. Every element of the largest process once, and a loop of the most rounds. */
export const maxActivationsPerStep = 2_000
/** Rounds of a loop. */
export const maxLoopIterations = 1_000
/** Steps of processes that lead to each other without a user or a timer. Steps of processes that may lead to each other before the next one becomes an incident (docs/decisions/0024). */
export const maxProcessHops = 50
/** Completed activities that an instance keeps because they may be compensated. Bounds loops without end. */
export const maxCompensableActivities = 5_000
/** The variables that are kept for them, as JSON. Every step reads all of them. */
export const maxCompensableBytes = 4 * 1024 * 1024
/** Processes that call each other, one inside of another. Bounds a process that calls itself. */
export const maxCallDepth = 20
/** Members of the candidate roles of a task who are notified. How many members of roles one notification reaches. */
export const maxRoleMembersTold = 50
/** Earlier values that a change passes to a waiting task. */
export const maxRememberedChangeBytes = 20 * 1024
/** Steps of an instance that its history shows. The newest steps that one answer reads; a process with loops may have more. */
export const maxShownSteps = 500
/** Activities of an instance that its history shows. Limits the answer: one step may have many activities. */
export const maxShownActivities = 10_000
/** What the history of a process keeps of one value that a decision was given or answered, as JSON. */
export const maxKeptDecisionCharacters = 500
/** Inputs, and matched rules, that the history of a process keeps of one evaluation of a decision. */
export const maxKeptDecisionItems = 50
/** What the history keeps of the inputs and results of all decisions of one step, as JSON. */
export const maxKeptDecisionsOfStep = 64 * 1024
/** Incidents that an instance shows. */
export const maxShownIncidents = 100
/** Tokens that one operation moves, or cancels, by their elements. */
export const maxMovesOfOperation = 100
/** Instances that one bulk operation is about: their ids stand in the row of its job. */
export const maxBulkInstances = 10_000
/** Newest instances of a template that its figures count. */
export const maxFiguredInstances = 2_000
/** Newest instances whose histories its figures read: one Query each. */
export const maxFiguredHistories = 100
/** Operations on an instance that it shows. */
export const maxShownOperations = 100
/** Called processes that an instance shows. */
export const maxShownCalled = 100
/** The name of a template. */
export const maxProcessNameCharacters = 200
/** The correlation key of a message. */
export const maxCorrelationKeyCharacters = 255
/** The name of a message or signal. */
export const maxEventNameCharacters = 255
/** Instances that one message reaches, in one transaction. A signal reaches any number. */
export const maxMessageReceivers = 20
/** How long a message may wait, in seconds: a week. */
export const maxMessageTtlSeconds = 604_800
/** Start events and their triggers by a time, of one template: all their rows change with it in one transaction. */
export const maxStartTimers = 20
/** Why an instance was cancelled. */
export const maxReasonCharacters = 1000
/** The outcome of a task. */
export const maxOutcomeCharacters = 255
/** Users, roles and units that a task is offered to. */
export const maxCandidates = 1000
/** A task with its form, as JSON. An item holds 400 KB. */
export const maxTaskBytes = 300 * 1024
/** All tasks that one step opens. A worker holds them in memory. */
export const maxOpenedTaskBytes = 20 * 1024 * 1024
/** Elements of a process that is laid out on request. */
export const maxLaidOutElements = 2000
/** Sequence flows of a process that is laid out along them. */
export const maxLaidOutFlows = 1500
