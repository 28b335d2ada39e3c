import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'

/** Visibility timeout: long enough to move ten messages. What is not moved by then is received again. */
const holdSeconds = 60

/**
 * Moves up to ten messages from one queue to another, both given by their addresses; answers how many. A message is
 * deleted only after it is in the other queue, so a failure in between repeats it and loses none.
 */
export async function moveMessages(sqs: SQSClient, from: string, to: string): Promise<number> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: from,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: holdSeconds,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  )
  for (const { Body, ReceiptHandle, MessageAttributes, Attributes = {}, MessageId } of Messages) {
    const group = Attributes.MessageGroupId && { MessageGroupId: Attributes.MessageGroupId }
    // A new deduplication id: a FIFO queue would drop the message as a duplicate.
    const isFifo = to.endsWith('.fifo') && { MessageDeduplicationId: `redrive-${MessageId}` }
    await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageAttributes, ...group, ...isFifo }))
    await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }))
  }
  return Messages.length
}
