package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.deploy.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that examines something without a cluster, and prints the result. */
abstract class OfflineCommand<A extends Message> implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--json", description = "Prints the answer as one JSON object.")
    private boolean json;

    abstract A ask();

    /** Prints an answer as text. */
    abstract void print(A answer, PrintWriter out);

    /** Returns the stream for everything that is not part of the answer. */
    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    @Override
    public Integer call() {
        A answer = ask();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(MessageJson.print(answer));
        } else {
            print(answer, out);
        }
        return ExitCode.OK.code();
    }
}
