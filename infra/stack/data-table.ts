import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'

/** DynamoDB's limit. An unused sparse index costs nothing; adding one later takes a stack update each. */
const slotCount = 20

/** Index `slot07` has the keys `p07` and `s07`. The store assigns fields to slots. */
export const slotNumbers: readonly string[] = Array.from({ length: slotCount }, (_, index) =>
  String(index + 1).padStart(2, '0'),
)

/** The single table: the items of all tenants, 20 index slots, and the stream. */
export class DataTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expires_at',
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    for (const slot of slotNumbers) {
      this.addGlobalSecondaryIndex({
        indexName: `slot${slot}`,
        partitionKey: { name: `p${slot}`, type: AttributeType.STRING },
        sortKey: { name: `s${slot}`, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })
    }
  }

  /** The ARN pattern of all slots, for policies. */
  get slotsArn(): string {
    return `${this.tableArn}/index/slot*`
  }
}
