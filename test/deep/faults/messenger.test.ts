import { linkByMessage, receiveUpdate } from './operations/receive-update.ts'
import { testOperations } from './test-operations.ts'

testOperations([receiveUpdate, linkByMessage])
