package io.parterre.deploy.operator;

import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.proto.admin.PolicySetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Settings of the policy as operators write them: KEY=VALUE, or files of such lines. */
final class PolicySettings {
    private PolicySettings() {}

    /**
     * Reads settings.
     *
     * @param texts a text without {@code =} names a file
     * @param command command for error messages
     * @throws ParameterException if a text is no setting
     */
    static List<PolicySetting> read(List<String> texts, CommandLine command) {
        List<PolicySetting> settings = new ArrayList<>();
        for (String text : texts) {
            if (text.indexOf('=') < 0) {
                lines(text, command).forEach(line -> settings.add(setting(line, command)));
            } else {
                settings.add(setting(text, command));
            }
        }
        return settings;
    }

    private static List<String> lines(String file, CommandLine command) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new ParameterException(
                    command, "'" + file + "' (expected: KEY=VALUE, or a file of such lines)", e);
        }
    }

    private static PolicySetting setting(String text, CommandLine command) {
        int at = text.indexOf('=');
        if (at <= 0) {
            throw new ParameterException(command, "'" + text + "' (expected: KEY=VALUE)");
        }
        return PolicySetting.newBuilder()
                .setKey(text.substring(0, at).strip())
                .setValue(text.substring(at + 1).strip())
                .build();
    }

    /** Returns the keys that may be set, for the help of commands. */
    static String[] keys() {
        TextTable table = new TextTable("KEY", "DEFAULT", "MAY BE", "IS");
        PolicyTable.KEYS.forEach(
                key ->
                        table.row(
                                key.name(),
                                key.print(Policy.DEFAULT),
                                key.allowed(),
                                key.meaning()));
        return table.lines().stream()
                .map(line -> "  " + line.replace("%", "%%"))
                .toArray(String[]::new);
    }
}
