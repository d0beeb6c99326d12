package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.deploy.network.Transports;
import io.parterre.deploy.tls.ClusterTls;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that asks the managers and prints the answer. */
abstract class OperatorCommand<A extends Message> implements Callable<Integer> {
    private Transports transports = NetworkTransport::new;

    @Spec private CommandSpec spec;
    @Mixin private ManagerOptions managers;

    @Option(names = "--json", description = "Prints the answer as one JSON object.")
    private boolean json;

    /** Replaces the transports. The command closes the one that it opens. */
    void connectBy(Transports others) {
        transports = others;
    }

    /**
     * Asks the managers and returns the answer to print.
     *
     * @throws ConfigException if it needs settings of this machine, and they are invalid
     */
    abstract A ask(ManagerCalls calls, Transport transport) throws ConfigException;

    /** Prints an answer as text. */
    abstract void print(A answer, PrintWriter out);

    /** Returns how the command ends with this answer. */
    ExitCode verdict(A answer) {
        return ExitCode.OK;
    }

    /**
     * Returns a wait that reports its progress on the error stream, where it does not mix with the
     * answer.
     */
    Waiting waitAtMost(Duration max) {
        return new Waiting(spec.commandLine().getErr(), max);
    }

    /**
     * Waits until nothing is left to be done, if the options ask for it.
     *
     * @param left returns a sentence; empty if nothing is left
     */
    void waitIfWanted(WaitOptions waiting, Supplier<Optional<String>> left) {
        if (waiting.isWanted()) {
            waitAtMost(waiting.max()).until(left);
        }
    }

    /** Returns the stream for everything that is not part of the answer. */
    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Returns the name of the server that the command concerns. */
    String nameOf(ServerChoice server) throws ConfigException {
        return server.name(managers::settings);
    }

    CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws ConfigException {
        Optional<ClusterTls> tls = managers.tls();
        try (Transport transport = transports.open(tls);
                ManagerCalls calls =
                        new ManagerCalls(transport, managers.addresses(), managers.timeout())) {
            A answer = ask(calls, transport);
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(MessageJson.print(answer));
            } else {
                print(answer, out);
            }
            return verdict(answer).code();
        } finally {
            tls.ifPresent(ClusterTls::close);
        }
    }
}
