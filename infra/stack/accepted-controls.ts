/** Controls of AWS Control Tower that the templates do not follow, by the name of the rule, with the reason. */
export const acceptedControls: Readonly<Record<string, string>> = {
  'ct-apigateway-pr-5':
    'The functions authenticate callers: token, user and tenant are read in one call with the record.',
  'ct-cloudwatch-pr-1':
    'CodeDeploy reads the alarm that takes deployments back; it notifies nobody, as its double in the monitoring stack does. Template tests hold the others to the topic.',
  'ct-cloudwatch-pr-2': 'Logs are kept for 30 days, not a year: they hold the ids of people.',
  'ct-cloudwatch-pr-3': 'CloudWatch encrypts logs with keys of its own; a key of ours is a dollar a month.',
  'ct-kms-pr-3': "The policy is CDK's default: the account decides by IAM, and no service may make grants.",
  'ct-lambda-pr-2':
    'The address of the messenger is open where the operator chooses it; its function asks for a secret.',
  'ct-lambda-pr-3': 'The functions use services with public endpoints only; a network of our own has no part in it.',
  'ct-lambda-pr-5': 'As ct-lambda-pr-2: the Bot API signs no requests.',
  'ct-s3-pr-2': 'The bucket that access logs go to does not log to itself.',
  'ct-s3-pr-4': 'Nothing waits for objects: the rows that name them are the events.',
  'ct-s3-pr-9': 'Files of a person are deleted when the person asks for it, which a lock forbids.',
  'ct-s3-pr-10': 'S3 encrypts with keys of its own; each use of a key of ours costs, and asks for another right.',
  'ct-s3-pr-11': 'Files are versioned; logs and failed batches are written once.',
  'ct-sqs-pr-1': 'Every queue has a dead-letter queue, which needs none.',
}
