package io.parterre.deploy.operator;

import io.parterre.deploy.config.DurationText;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.ListJournalResponse;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code parterre journal}. */
@Command(
        name = "journal",
        description = {
            "Shows what the managers decided, what they were asked for and what they left undone,",
            "with the numbers they saw; newest last. What was left undone is known to the manager",
            "that leads, since it leads; all else to all of them."
        },
        footer = {
            "  parterre journal --since 2h --manager 10.0.0.1:10021",
            "  parterre journal --range 17 --limit 20"
        })
final class JournalCommand extends OperatorCommand<ListJournalResponse> {
    private final InstantSource clock = InstantSource.system();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Only what was noted since then: 30m or 12h ago, or 2026-01-31T12:00:00Z.")
    private String since = "";

    @Option(names = "--range", paramLabel = "RANGE", description = "Only about this range.")
    private long rangeId;

    @Option(names = "--node", paramLabel = "NODE", description = "Only about this server.")
    private String node = "";

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            description = "The newest so many, at most 500. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100")
    private int limit;

    @Override
    ListJournalResponse ask(ManagerCalls calls, Transport transport) {
        if (limit < 1) {
            throw new ParameterException(
                    spec().commandLine(), "--limit: " + limit + " (expected: 1 or more)");
        }
        ListJournalRequest request =
                ListJournalRequest.newBuilder()
                        .setSinceMillis(since.isEmpty() ? 0 : since().toEpochMilli())
                        .setRangeId(rangeId)
                        .setNodeId(node)
                        .setCountMax(limit)
                        .build();
        return calls.ask(stub -> stub.listJournal(request));
    }

    private Instant since() {
        try {
            return Instant.parse(since);
        } catch (DateTimeParseException notATime) {
            try {
                return clock.instant().minus(DurationText.parse(since));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec().commandLine(),
                        "--since: '" + since + "' (expected: as 30m, 12h or 2026-01-31T12:00:00Z)",
                        e);
            }
        }
    }

    @Override
    void print(ListJournalResponse journal, PrintWriter out) {
        if (journal.getLeftOut() > 0) {
            out.println("there are " + journal.getLeftOut() + " older ones; --limit shows more");
        }
        if (journal.getEntriesCount() == 0) {
            out.println("nothing was noted");
        }
        JournalText.print(journal.getEntriesList(), out);
    }
}
