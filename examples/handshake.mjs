// Introduces itself to a node over TCP and prints its answer: node examples/handshake.mjs [host:port] [network]
import { connect } from 'node:net';
import { decodeMessage, encodeMessage } from '@monero-node/codec/portable-storage';
import { NETWORKS } from '@monero-node/consensus';
import {
  COMMANDS,
  encodeInvoke,
  FrameReader,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
} from '@monero-node/p2p/levin';

const [address = '127.0.0.1:18080', name = 'mainnet'] = process.argv.slice(2);
const [host, port] = address.split(':');
const network = NETWORKS[name];

const request = encodeMessage(HANDSHAKE_REQUEST, {
  node_data: { my_port: 0, network_id: network.networkId, peer_id: 1n },
  payload_data: {
    cumulative_difficulty: 1n,
    cumulative_difficulty_top64: 0n,
    current_height: 1,
    top_id: network.genesisId,
    top_version: 1,
  },
});

/** Returns the body of the node's answer. Throws when the node closes the connection instead. */
async function answerFrom(socket) {
  const reader = new FrameReader({
    maxPacket: () => 1 << 20,
    expectedResponse: () => COMMANDS.handshake,
  });
  for await (const bytes of socket) {
    reader.push(bytes);
    for (let message = reader.next(); message !== undefined; message = reader.next()) {
      if (message.command === COMMANDS.handshake) return message.body;
    }
  }
  throw new Error('the node closed the connection');
}

const socket = connect(Number(port), host);
socket.write(encodeInvoke(COMMANDS.handshake, request));
const answer = decodeMessage(HANDSHAKE_RESPONSE, await answerFrom(socket));
const { payload_data, local_peerlist_new } = answer;
console.log(`${payload_data.current_height} blocks, ${local_peerlist_new.length} peers`);
socket.destroy();
