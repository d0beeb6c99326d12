package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options of all commands that run a front end. */
final class TableOptions implements FlagSettings {
    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = {
                "Address to listen on, for tables and for operators",
                "(frontEnd.http.host, admin.host). Default: 127.0.0.1."
            })
    private String host;

    @Option(
            names = "--table-port",
            paramLabel = "N",
            description = "Port for tables (frontEnd.http.port). Default: 10002; 0: a free one.")
    private String tablePort;

    @Override
    public List<FlagSetting> settings() {
        return Stream.of(
                        FlagSettings.of("--host", "frontEnd.http.host", host),
                        FlagSettings.of("--host", "admin.host", host),
                        FlagSettings.of("--table-port", "frontEnd.http.port", tablePort))
                .flatMap(List::stream)
                .toList();
    }
}
