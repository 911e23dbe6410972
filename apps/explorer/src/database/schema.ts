/** A transaction is known by the height of its block and its place in it: 8 bytes where its id would need 32. */
const BLOCKS = `
  CREATE TABLE blocks (
    height integer PRIMARY KEY CHECK (height >= 0),
    id bytea NOT NULL UNIQUE,
    prev_id bytea NOT NULL,
    timestamp bigint NOT NULL,
    major_version smallint NOT NULL,
    minor_version smallint NOT NULL,
    nonce bigint NOT NULL,
    weight bigint NOT NULL,
    long_term_weight bigint NOT NULL,
    difficulty numeric(39) NOT NULL,
    cumulative_difficulty numeric(39) NOT NULL,
    reward numeric(20) NOT NULL,
    fees numeric(20) NOT NULL,
    generated_coins numeric(20) NOT NULL,
    transactions integer NOT NULL
  )`;

const TRANSACTIONS = `
  CREATE TABLE transactions (
    height integer NOT NULL REFERENCES blocks ON DELETE CASCADE,
    position integer NOT NULL,
    id bytea NOT NULL UNIQUE,
    version smallint NOT NULL,
    unlock_time numeric(20) NOT NULL,
    fee numeric(20) NOT NULL,
    weight bigint NOT NULL,
    inputs integer NOT NULL,
    outputs integer NOT NULL,
    extra bytea NOT NULL,
    PRIMARY KEY (height, position)
  )`;

/** `index_amount` is what the global index counts by: 0 for outputs with a commitment, also those of miners. */
const OUTPUTS = `
  CREATE TABLE outputs (
    height integer NOT NULL REFERENCES blocks ON DELETE CASCADE,
    tx_position integer NOT NULL,
    position integer NOT NULL,
    amount numeric(20) NOT NULL,
    index_amount numeric(20) NOT NULL,
    global_index bigint NOT NULL,
    public_key bytea NOT NULL,
    view_tag smallint,
    PRIMARY KEY (height, tx_position, position),
    UNIQUE (index_amount, global_index)
  )`;

const INPUTS = `
  CREATE TABLE inputs (
    height integer NOT NULL REFERENCES blocks ON DELETE CASCADE,
    tx_position integer NOT NULL,
    position integer NOT NULL,
    amount numeric(20) NOT NULL,
    key_image bytea NOT NULL UNIQUE,
    PRIMARY KEY (height, tx_position, position)
  )`;

const RING_MEMBERS = `
  CREATE TABLE ring_members (
    height integer NOT NULL REFERENCES blocks ON DELETE CASCADE,
    tx_position integer NOT NULL,
    input_position integer NOT NULL,
    position integer NOT NULL,
    index_amount numeric(20) NOT NULL,
    global_index bigint NOT NULL,
    PRIMARY KEY (height, tx_position, input_position, position)
  )`;

const POOL = `
  CREATE TABLE pool (
    id bytea PRIMARY KEY,
    received bigint NOT NULL,
    fee numeric(20) NOT NULL,
    weight bigint NOT NULL,
    inputs integer NOT NULL,
    outputs integer NOT NULL
  )`;

const POOL_KEY_IMAGES = `
  CREATE TABLE pool_key_images (
    tx_id bytea NOT NULL REFERENCES pool ON DELETE CASCADE,
    position integer NOT NULL,
    key_image bytea NOT NULL,
    PRIMARY KEY (tx_id, position)
  )`;

/** One row: the newest block that the tables hold, with sums that would be slow to count. */
const POSITION = `
  CREATE TABLE position (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    height integer NOT NULL,
    id bytea,
    sequence bigint,
    transactions bigint NOT NULL,
    outputs bigint NOT NULL,
    key_images bigint NOT NULL,
    reverted bigint NOT NULL
  )`;

const INDEXES = [
  'CREATE INDEX outputs_by_key ON outputs (public_key)',
  'CREATE INDEX ring_members_by_output ON ring_members (index_amount, global_index)',
  'CREATE INDEX pool_by_fee_rate ON pool ((fee / greatest(weight, 1)) DESC, id)',
  'CREATE INDEX pool_key_images_by_key_image ON pool_key_images (key_image)',
];

const NOTHING_YET =
  'INSERT INTO position (height, transactions, outputs, key_images, reverted) VALUES (-1, 0, 0, 0, 0)';

/** The statements that lead from one version of the schema to the next; the first ones start with nothing. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    ...[BLOCKS, TRANSACTIONS, OUTPUTS, INPUTS, RING_MEMBERS, POOL, POOL_KEY_IMAGES, POSITION],
    ...[...INDEXES, NOTHING_YET],
  ],
];
