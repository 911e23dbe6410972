export {
  EventPublisher,
  type EventPublisherDependencies,
  type EventPublisherOptions,
} from './publish/event-publisher.ts';
