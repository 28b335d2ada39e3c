/** What the embedded service cannot measure, as data. Each says where it comes from; change what you know better. */
export const assumptions = {
  /**
   * Time of one round trip from a function to DynamoDB, SQS or S3 in its region. Ours: single-digit milliseconds is
   * what DynamoDB promises (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Introduction.html).
   */
  roundTripMs: 5,
  /**
   * At this memory a function has one virtual CPU, with less a share of it; the measured time is stretched by that
   * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html).
   */
  memoryOfOneCpuMb: 1769,
  /** A line of the API's access log. Ours, from its format with values of usual length. */
  accessLogBytes: 380,
  /** CloudWatch adds this to each event it ingests (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html). */
  logEventBytes: 26,
  /** Response headers, which the meter does not see. Ours. */
  responseHeaderBytes: 400,
  /**
   * Long polls of Lambda at an idle queue: five at a time, or two, but never two when a maximum concurrency is set
   * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). The guide does not say how many it makes
   * at a FIFO queue; we count as many.
   */
  pollers: 5,
  pollersWithoutMaximumConcurrency: 2,
  /** The longest long poll (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html). */
  pollSeconds: 20,
  /**
   * DynamoDB asks KMS for the table's key again after so long, for each caller
   * (https://docs.aws.amazon.com/kms/latest/developerguide/services-dynamodb.html).
   */
  keyCacheMinutes: 5,
  /** Billed for each item and index entry, beside its size (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html). */
  storedItemOverheadBytes: 100,
  hoursPerMonth: 730,
  /** The hours of a month in which people work: ten a day on 22 days. Ours. */
  busyHours: 220,
  /** How long a request keeps an instance, and how much busier the busiest minute is than the hour. Ours. */
  requestSeconds: 0.1,
  peakFactor: 3,
  /** Lambda replaces instances after some hours, and ends idle ones after minutes; it promises neither. Ours. */
  instanceHours: 1,
  /** Functions that people and the consumers of their changes keep busy. Ours. */
  groupsInUse: 10,
  /**
   * The start of an instance, until its first invocation. Ours: what `npm run bench:cold` measures, at a share of a CPU. Lambda bills it
   * (https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/).
   */
  initMs: 600,
  initMemoryMb: 1024,
} as const
