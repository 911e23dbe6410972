import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Prints each datagram that arrives at a Unix socket as a line, with its own line breaks as tabs. Node has no such sockets. */
const RECEIVER = `
use Socket;
$| = 1;
my $name = $ARGV[0];
$name =~ s/^@/\\0/;
socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die $!;
bind($socket, pack_sockaddr_un($name)) or die $!;
print "ready\\n";
while (defined recv($socket, my $message, 65536, 0)) {
  $message =~ s/\\n/\\t/g;
  print "$message\\n";
}
`;

/** The socket of a service manager: collects the messages of sd_notify(3) that are sent to it. */
export class NotifySocket {
  /** Each message as its assignments. */
  readonly messages: string[][] = [];
  readonly #receiver: ChildProcess;

  private constructor(receiver: ChildProcess) {
    this.#receiver = receiver;
  }

  /**
   * Opens a socket at an absolute path, or with an abstract name that begins with `@`. Needs perl. Throws Error when the
   * socket cannot be opened.
   */
  static async open(name: string): Promise<NotifySocket> {
    const receiver = spawn('perl', ['-e', RECEIVER, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const socket = new NotifySocket(receiver);
    await new Promise<void>((resolve, reject) => {
      receiver.once('error', reject);
      receiver.once('exit', () => reject(new Error(`no socket at ${name}`)));
      createInterface({ input: receiver.stdout }).on('line', (line) => {
        if (line === 'ready') resolve();
        else socket.messages.push(line.split('\t'));
      });
    });
    return socket;
  }

  /** Returns whether a message with this assignment has arrived. */
  has(assignment: string): boolean {
    return this.messages.flat().includes(assignment);
  }

  close(): void {
    this.#receiver.kill();
  }
}
